/** Reads one answer of HTTP/1.1 (RFC 9112) from the bytes of a connection, as they come. */
import { type AnswerHead, BEGINNING_BYTES, HttpFault, mayBegin, parseHead } from './head.ts'
import { Received } from './received.ts'

/** Room for the status line and all headers. */
const MOST_HEAD_BYTES = 262_144
/** A chunk's size with its extensions; trailers count as well. */
const MOST_CHUNK_LINE_BYTES = 16_384

const CHUNK_SIZE = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i

/** Whether a list of words, in any case, holds a word. */
const has = (list: string | undefined, word: string): boolean =>
  list
    ?.toLowerCase()
    .split(/\s*,\s*/)
    .includes(word) ?? false

const LENGTH = /^\d{1,15}$/

/** A length that is given more than once must be the same each time. */
function lengthOf(value: string): number {
  if (LENGTH.test(value)) return Number(value)
  const [first = '', ...others] = value.split(/\s*,\s*/)
  if (!LENGTH.test(first) || others.some((other) => other !== first)) throw new HttpFault('InvalidContentLength')
  return Number(first)
}

/** What is read next. */
type Part = 'head' | 'length' | 'until-closed' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer'

/** An answer while it arrives. */
export class AnswerReader {
  /** Null until all headers have come. */
  head: AnswerHead | null = null
  /** All is here, or as much as is wanted. */
  isDone = false
  /** The body goes on beyond what is wanted. */
  isCut = false

  readonly #received = new Received()
  readonly #chunks: Buffer[] = []
  #part: Part = 'head'
  #bodyLength = 0
  #left = 0
  #headLength = 0
  #mayReuse = false

  /** @param mostBody bytes of the body that are wanted */
  constructor(private readonly mostBody: number) {}

  get body(): Buffer {
    const [first] = this.#chunks
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }

  /** Whether the connection may carry another request: it says so, and nothing came that was not asked for. */
  get leavesConnectionUsable(): boolean {
    return this.isDone && !this.isCut && this.#mayReuse && this.#received.length === 0
  }

  /** @throws HttpFault where the bytes are no answer */
  push(bytes: Buffer): void {
    this.#received.push(bytes)
    while (!this.isDone && this.#read());
  }

  /**
   * The connection has ended.
   *
   * @throws HttpFault where that was too early
   */
  end(): void {
    if (this.#part === 'until-closed') this.isDone = true
    if (!this.isDone) throw new HttpFault('ConnectionClosed')
  }

  /** @returns false where more bytes are needed */
  #read(): boolean {
    switch (this.#part) {
      case 'head':
        return this.#readHead()
      case 'length':
        return this.#readLength()
      case 'until-closed':
        return this.#readUntilClosed()
      case 'chunk-size':
        return this.#readChunkSize()
      case 'chunk':
        return this.#readChunk()
      case 'chunk-end':
        return this.#readChunkEnd()
      case 'trailer':
        return this.#readTrailer()
    }
  }

  #readHead(): boolean {
    const length = this.#received.headLength()
    if (this.#headLength + (length ?? this.#received.length) > MOST_HEAD_BYTES) throw new HttpFault('HeadersTooLarge')
    if (length === null) {
      if (!mayBegin(this.#received.peek(BEGINNING_BYTES))) throw new HttpFault('InvalidHTTPStatusLine')
      return false
    }
    this.#headLength += length
    const { status, headers, isHttp11 } = parseHead(this.#received.takeText(length))
    if (status === 101) throw new HttpFault('UnexpectedHTTPUpgrade')
    // Answers before the answer: 100 Continue, 103 Early Hints.
    if (status < 200) return true
    const head = { status, headers }
    this.#frame(head, isHttp11)
    this.head = head
    return true
  }

  /** Where the body ends (RFC 9112, section 6.3), and whether the connection outlives it (section 9.3). */
  #frame({ status, headers }: AnswerHead, isHttp11: boolean): void {
    const coding = headers['transfer-encoding']
    const length = headers['content-length']
    this.#mayReuse = isHttp11 ? !has(headers.connection, 'close') : has(headers.connection, 'keep-alive')
    if (status === 204 || status === 304) {
      this.isDone = true
    } else if (coding !== undefined) {
      // A length beside it is how requests are smuggled: nothing else goes over this connection.
      if (length !== undefined) this.#mayReuse = false
      this.#part = /(?:^|,)\s*chunked$/i.test(coding) ? 'chunk-size' : 'until-closed'
    } else if (length !== undefined) {
      this.#part = 'length'
      this.#left = lengthOf(length)
      this.isDone = this.#left === 0
    } else {
      this.#part = 'until-closed'
    }
    if (this.#part === 'until-closed') this.#mayReuse = false
  }

  #keep(bytes: Buffer): void {
    this.#bodyLength += bytes.length
    if (bytes.length > 0) this.#chunks.push(bytes)
    if (this.#bodyLength > this.mostBody) this.isCut = this.isDone = true
  }

  /** Takes what is here of the bytes that are announced. */
  #takeAnnounced(): Buffer {
    const bytes = this.#received.take(Math.min(this.#left, this.#received.length))
    this.#left -= bytes.length
    return bytes
  }

  #readLength(): boolean {
    this.#keep(this.#takeAnnounced())
    if (this.#left === 0) this.isDone = true
    return false
  }

  #readUntilClosed(): boolean {
    this.#keep(this.#received.take(this.#received.length))
    return false
  }

  /** Takes a line of what frames chunks; null where its end is not here yet. */
  #takeLine(most: number): string | null {
    const length = this.#received.lineLength()
    if ((length === null ? this.#received.length : length - 1) > most) throw new HttpFault('InvalidHTTPChunk')
    return length === null ? null : this.#received.takeText(length).replace(/\r?\n$/, '')
  }

  #readChunkSize(): boolean {
    const line = this.#takeLine(MOST_CHUNK_LINE_BYTES)
    if (line === null) return false
    const [, size] = CHUNK_SIZE.exec(line) ?? []
    if (size === undefined) throw new HttpFault('InvalidHTTPChunk')
    this.#left = Number.parseInt(size, 16)
    this.#part = this.#left === 0 ? 'trailer' : 'chunk'
    return true
  }

  #readChunk(): boolean {
    // A copy: what arrived along with these bytes, such as extensions of chunks, need not stay in memory.
    this.#keep(Buffer.from(this.#takeAnnounced()))
    if (this.#left > 0) return false
    this.#part = 'chunk-end'
    return true
  }

  #readChunkEnd(): boolean {
    const line = this.#takeLine(1)
    if (line === null) return false
    if (line !== '') throw new HttpFault('InvalidHTTPChunk')
    this.#part = 'chunk-size'
    return true
  }

  #readTrailer(): boolean {
    const before = this.#received.length
    const line = this.#takeLine(MOST_CHUNK_LINE_BYTES)
    this.#headLength += before - this.#received.length
    if (this.#headLength > MOST_HEAD_BYTES) throw new HttpFault('HeadersTooLarge')
    if (line === '') this.isDone = true
    return line !== null
  }
}
