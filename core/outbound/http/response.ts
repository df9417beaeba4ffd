/** Reads an HTTP/1.1 response (RFC 9112) incrementally from the bytes of a connection. */
import { BEGINNING_BYTES, HttpError, mayBegin, parseHead, type ResponseHead } from './head.ts'

const EMPTY = Buffer.alloc(0)
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** A queue of bytes. If bytes arrive one by one, earlier ones are neither searched nor copied again each time. */
class ByteQueue {
  #bytes: Buffer = EMPTY
  #start = 0
  #end = 0
  #from = 0

  get length(): number {
    return this.#end - this.#start
  }

  push(bytes: Buffer): void {
    if (this.length === 0) {
      this.#bytes = bytes
      this.#start = this.#from = 0
      this.#end = bytes.length
      return
    }
    if (this.#end + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    bytes.copy(this.#bytes, this.#end)
    this.#end += bytes.length
  }

  /** Moves the bytes to a buffer with room for more, twice as large as needed. */
  #grow(more: number): void {
    const bytes = Buffer.allocUnsafeSlow(2 * (this.length + more))
    this.#bytes.copy(bytes, 0, this.#start, this.#end)
    this.#bytes = bytes
    this.#from -= this.#start
    this.#end -= this.#start
    this.#start = 0
  }

  take(length: number): Buffer {
    const start = this.#skip(length)
    return this.#bytes.subarray(start, this.#start)
  }

  takeText(length: number): string {
    const start = this.#skip(length)
    return this.#bytes.toString('utf8', start, this.#start)
  }

  /** @returns the start of the skipped bytes */
  #skip(length: number): number {
    const start = this.#start
    this.#start = this.#from = start + length
    return start
  }

  /** The first bytes as text: fewer than `length` if fewer have arrived. */
  peek(length: number): string {
    return this.#bytes.toString('latin1', this.#start, Math.min(this.#start + length, this.#end))
  }

  /** The index of the next line feed; -1 if there is none yet. */
  #findLineFeed(): number {
    const { length } = this.#bytes
    // The buffer may contain old bytes after the end.
    const here = this.#end === length ? this.#bytes : this.#bytes.subarray(0, this.#end)
    return here.indexOf(LINE_FEED, this.#from)
  }

  /** The length of the next line with its line feed; null if it is not complete yet. */
  lineLength(): number | null {
    const at = this.#findLineFeed()
    this.#from = at === -1 ? this.#end : at
    return at === -1 ? null : at + 1 - this.#start
  }

  /** The length up to the end of the next empty line; null if there is none yet. */
  headLength(): number | null {
    for (let at = this.#findLineFeed(); at !== -1; at = this.#findLineFeed()) {
      const next = this.#bytes[at + 1] === CARRIAGE_RETURN ? at + 2 : at + 1
      if (next >= this.#end) {
        this.#from = at
        return null
      }
      if (this.#bytes[next] === LINE_FEED) return next + 1 - this.#start
      this.#from = at + 1
    }
    this.#from = this.#end
    return null
  }
}

/** Limit for the status line, all headers and trailers. */
const MAX_HEAD_BYTES = 262_144
/** Limit for the line with a chunk's size and extensions, and for a trailer line. */
const MAX_CHUNK_LINE_BYTES = 16_384

const CHUNK_SIZE = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i

/** Whether a comma-separated list contains a word, case-insensitively. */
const has = (list: string | undefined, word: string): boolean =>
  list
    ?.toLowerCase()
    .split(/\s*,\s*/)
    .includes(word) ?? false

/** The first characters of a trailer line: a name with a colon, or a folded line. */
const TRAILER = /^(?:[!#$%&'*+.^_`|~\w-]+:|[ \t])/

const LENGTH = /^\d{1,15}$/

/** A repeated Content-Length must have the same value each time. */
function lengthOf(value: string): number {
  if (LENGTH.test(value)) return Number(value)
  const [first = '', ...others] = value.split(/\s*,\s*/)
  if (!LENGTH.test(first) || others.some((other) => other !== first)) throw new HttpError('InvalidContentLength')
  return Number(first)
}

/** Reads, and yields where more bytes are needed. */
type Reading<Result> = Generator<undefined, Result, undefined>

export class ResponseReader {
  /** Null until the headers are complete. */
  head: ResponseHead | null = null
  isDone = false
  /** Whether the body is longer than what is read. */
  isCut = false

  readonly #received = new ByteQueue()
  readonly #chunks: Buffer[] = []
  readonly #reading = this.#read()
  #bodyLength = 0
  #headLength = 0
  #mayReuse = false
  /** Whether the body ends with the connection. */
  #endsWithConnection = false

  constructor(private readonly maxBody: number) {}

  get body(): Buffer {
    const [first] = this.#chunks
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }

  /** Whether the connection can be reused: the response allows it, and no extra bytes were received. */
  get leavesConnectionUsable(): boolean {
    return this.isDone && !this.isCut && this.#mayReuse && this.#received.length === 0
  }

  /** @throws HttpError if the bytes are not a valid response */
  push(bytes: Buffer): void {
    this.#received.push(bytes)
    this.#reading.next()
  }

  /** Handles the end of the connection. @throws HttpError if the response is not complete */
  end(): void {
    if (this.#endsWithConnection) this.isDone = true
    if (!this.isDone) throw new HttpError('ConnectionClosed')
  }

  *#read(): Reading<void> {
    const length = yield* this.#readHead()
    if (length === 'chunked') yield* this.#readChunks()
    else yield* this.#readBody(length, (bytes) => bytes)
    this.isDone = true
  }

  /** @returns the length of the body, as of `#frame` */
  *#readHead(): Reading<number | 'chunked'> {
    for (;;) {
      const length = this.#received.headLength()
      if (this.#headLength + (length ?? this.#received.length) > MAX_HEAD_BYTES) throw new HttpError('HeadersTooLarge')
      if (length === null) {
        if (!mayBegin(this.#received.peek(BEGINNING_BYTES))) throw new HttpError('InvalidHTTPStatusLine')
        yield
        continue
      }
      this.#headLength += length
      const { status, headers, isHttp11 } = parseHead(this.#received.takeText(length))
      if (status === 101) throw new HttpError('UnexpectedHTTPUpgrade')
      // Interim responses: 100 Continue, 103 Early Hints.
      if (status < 200) continue
      const head = { status, headers }
      const bodyLength = this.#frame(head, isHttp11)
      this.head = head
      return bodyLength
    }
  }

  /** Determines how the body ends (RFC 9112, section 6.3), and whether the connection persists (section 9.3). */
  #frame({ status, headers }: ResponseHead, isHttp11: boolean): number | 'chunked' {
    const coding = headers['transfer-encoding']
    const length = headers['content-length']
    this.#mayReuse = isHttp11 ? !has(headers.connection, 'close') : has(headers.connection, 'keep-alive')
    if (status === 204 || status === 304) {
      // A 204 that announces a body may send it, to be read as the next response.
      if (status === 204 && (coding !== undefined || (length ?? '0') !== '0')) this.#mayReuse = false
      return 0
    }
    if (coding !== undefined) {
      // A Content-Length as well may be an attempt at request smuggling, and HTTP/1.0 has no codings (RFC 9112, section 6.1).
      if (length !== undefined || !isHttp11) this.#mayReuse = false
      if (/(?:^|,)\s*chunked$/i.test(coding)) return 'chunked'
    } else if (length !== undefined) return lengthOf(length)
    this.#mayReuse = false
    this.#endsWithConnection = true
    return Number.POSITIVE_INFINITY
  }

  /** Reads so many bytes of the body, or fewer if it is cut. */
  *#readBody(length: number, kept: (bytes: Buffer) => Buffer): Reading<void> {
    for (let left = length; left > 0 && !this.isCut; ) {
      if (this.#received.length === 0) yield
      const bytes = this.#received.take(Math.min(left, this.#received.length))
      left -= bytes.length
      this.#bodyLength += bytes.length
      if (bytes.length > 0) this.#chunks.push(kept(bytes))
      if (this.#bodyLength > this.maxBody) this.isCut = true
    }
  }

  *#readChunks(): Reading<void> {
    for (;;) {
      const { line } = yield* this.#readLine(MAX_CHUNK_LINE_BYTES)
      const [, size] = CHUNK_SIZE.exec(line) ?? []
      if (size === undefined) throw new HttpError('InvalidHTTPChunk')
      const length = Number.parseInt(size, 16)
      if (length === 0) return yield* this.#readTrailers()
      // Copied, so that other bytes of the same buffer, such as chunk extensions, do not stay in memory.
      yield* this.#readBody(length, Buffer.from)
      if (this.isCut) return
      const end = yield* this.#readLine(1)
      if (end.line !== '') throw new HttpError('InvalidHTTPChunk')
    }
  }

  *#readTrailers(): Reading<void> {
    for (;;) {
      const { line, length } = yield* this.#readLine(MAX_CHUNK_LINE_BYTES)
      this.#headLength += length
      if (this.#headLength > MAX_HEAD_BYTES) throw new HttpError('HeadersTooLarge')
      if (line === '') return
      if (!TRAILER.test(line)) this.#mayReuse = false
    }
  }

  /** Reads a line of the chunk framing. @returns its length with the line break */
  *#readLine(limit: number): Reading<{ line: string; length: number }> {
    for (;;) {
      const length = this.#received.lineLength()
      if ((length === null ? this.#received.length : length - 1) > limit) throw new HttpError('InvalidHTTPChunk')
      if (length !== null) return { line: this.#received.takeText(length).replace(/\r?\n$/, ''), length }
      yield
    }
  }
}
