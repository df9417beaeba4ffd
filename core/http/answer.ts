/** Reads one answer of HTTP/1.1 (RFC 9112) from the bytes of a connection, as they come. */

/** Room for the status line and all headers. */
const MOST_HEAD_BYTES = 262_144
/** A chunk's size with its extensions; trailers count as well. */
const MOST_CHUNK_LINE_BYTES = 16_384

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/
const EMPTY = Buffer.alloc(0)
const LINE_FEED = 0x0a

/** What arrived is no HTTP, or not all of it. */
export class HttpFault extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

/** Status line and headers. Names are in lower case; values of headers that are repeated are joined. */
export interface AnswerHead {
  status: number
  headers: Record<string, string>
}

/** How the end of a body is known. */
type Framing = 'none' | 'length' | 'chunked' | 'until-closed'

/** Takes what it needs from the bytes at hand; false where it needs more of them. */
type Step = () => boolean

/** An answer while it arrives. */
export class AnswerReader {
  /** Null until all headers have come. */
  head: AnswerHead | null = null
  /** All is here, or as much as is wanted. */
  isDone = false
  /** The body goes on beyond what is wanted. */
  isCut = false

  readonly #chunks: Buffer[] = []
  #bodyLength = 0
  #left = 0
  #rest: Buffer = EMPTY
  #step: Step = () => this.#readStatusLine()
  #headLength = 0
  #version = ''
  #status = 0
  #headers: [name: string, value: string][] = []
  #framing: Framing = 'none'
  #mayReuse = false

  /** @param mostBody bytes of the body that are wanted */
  constructor(private readonly mostBody: number) {}

  get body(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  /** Whether the connection may carry another request: it says so, and nothing came that was not asked for. */
  get leavesConnectionUsable(): boolean {
    return this.isDone && !this.isCut && this.#mayReuse && this.#rest.length === 0
  }

  /** @throws HttpFault where the bytes are no answer */
  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    while (!this.isDone && this.#step());
  }

  /**
   * The connection has ended.
   *
   * @throws HttpFault where that was too early
   */
  end(): void {
    if (this.head !== null && this.#framing === 'until-closed') this.isDone = true
    if (!this.isDone) throw new HttpFault('ConnectionClosed')
  }

  /** Lines end with CRLF; a bare LF is recognised too (RFC 9112, section 2.2). */
  #takeLine(most: number, fault: string): string | null {
    const end = this.#rest.indexOf(LINE_FEED)
    if ((end === -1 ? this.#rest.length : end) > most) throw new HttpFault(fault)
    if (end === -1) return null
    const line = this.#rest.toString('utf8', 0, end)
    this.#rest = this.#rest.subarray(end + 1)
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  #takeHeadLine(): string | null {
    const before = this.#rest.length
    const line = this.#takeLine(MOST_HEAD_BYTES - this.#headLength, 'HeadersTooLarge')
    this.#headLength += before - this.#rest.length
    return line
  }

  #readStatusLine(): boolean {
    const line = this.#takeHeadLine()
    if (line === null) return false
    const [, version = '', status] = STATUS_LINE.exec(line) ?? []
    if (status === undefined || status < '100') throw new HttpFault('InvalidHTTPStatusLine')
    this.#version = version
    this.#status = Number(status)
    this.#headers = []
    this.#step = () => this.#readHeader()
    return true
  }

  #readHeader(): boolean {
    const line = this.#takeHeadLine()
    if (line === null) return false
    if (line === '') return this.#endHead()
    const last = this.#headers.at(-1)
    if (/^[ \t]/.test(line) && last) {
      last[1] = `${last[1]} ${line.trim()}`
      return true
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    if (!TOKEN.test(name)) throw new HttpFault('InvalidHTTPHeader')
    this.#headers.push([name.toLowerCase(), line.slice(colon + 1).trim()])
    return true
  }

  #endHead(): boolean {
    if (this.#status === 101) throw new HttpFault('UnexpectedHTTPUpgrade')
    // Answers before the answer: 100 Continue, 103 Early Hints.
    if (this.#status < 200) {
      this.#step = () => this.#readStatusLine()
      return true
    }
    const headers = new Map<string, string>()
    for (const [name, value] of this.#headers) {
      const before = headers.get(name)
      headers.set(name, before === undefined ? value : `${before}, ${value}`)
    }
    this.#frame(headers)
    this.head = { status: this.#status, headers: Object.fromEntries(headers) }
    if (this.#framing === 'none' || (this.#framing === 'length' && this.#left === 0)) this.isDone = true
    return true
  }

  /** Where the body ends (RFC 9112, section 6.3), and whether the connection outlives it (section 9.3). */
  #frame(headers: Map<string, string>): void {
    const coding = headers.get('transfer-encoding')
    const length = headers.get('content-length')
    const connection = (headers.get('connection') ?? '').toLowerCase().split(/\s*,\s*/)
    this.#mayReuse = this.#version === '1' ? !connection.includes('close') : connection.includes('keep-alive')
    if (this.#status === 204 || this.#status === 304) {
      this.#framing = 'none'
    } else if (coding !== undefined) {
      // A length beside it is how requests are smuggled: nothing else goes over this connection.
      if (length !== undefined) this.#mayReuse = false
      const isChunked = /(?:^|,)\s*chunked$/i.test(coding)
      this.#framing = isChunked ? 'chunked' : 'until-closed'
      this.#step = () => (isChunked ? this.#readChunkSize() : this.#readUntilClosed())
    } else if (length !== undefined) {
      const [first = '', ...others] = length.split(/\s*,\s*/)
      if (!/^\d{1,15}$/.test(first) || others.some((other) => other !== first)) throw new HttpFault('InvalidContentLength')
      this.#framing = 'length'
      this.#left = Number(first)
      this.#step = () => this.#readLength()
    } else {
      this.#framing = 'until-closed'
      this.#step = () => this.#readUntilClosed()
    }
    if (this.#framing === 'until-closed') this.#mayReuse = false
  }

  #keep(bytes: Buffer): void {
    this.#bodyLength += bytes.length
    // A copy: what arrived along with these bytes, such as extensions of chunks, need not stay in memory.
    if (bytes.length > 0) this.#chunks.push(Buffer.from(bytes))
    if (this.#bodyLength > this.mostBody) this.isCut = this.isDone = true
  }

  /** Keeps what is here of the bytes that are announced. */
  #readAnnounced(): void {
    const here = this.#rest.subarray(0, this.#left)
    this.#rest = this.#rest.subarray(here.length)
    this.#left -= here.length
    this.#keep(here)
  }

  #readLength(): boolean {
    this.#readAnnounced()
    if (this.#left === 0) this.isDone = true
    return false
  }

  #readUntilClosed(): boolean {
    this.#keep(this.#rest)
    this.#rest = EMPTY
    return false
  }

  #readChunkSize(): boolean {
    const line = this.#takeLine(MOST_CHUNK_LINE_BYTES, 'InvalidHTTPChunk')
    if (line === null) return false
    const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? []
    if (size === undefined) throw new HttpFault('InvalidHTTPChunk')
    this.#left = Number.parseInt(size, 16)
    this.#step = this.#left === 0 ? () => this.#readTrailer() : () => this.#readChunk()
    return true
  }

  #readChunk(): boolean {
    this.#readAnnounced()
    if (this.#left > 0) return false
    this.#step = () => this.#endChunk()
    return true
  }

  #endChunk(): boolean {
    const line = this.#takeLine(1, 'InvalidHTTPChunk')
    if (line === null) return false
    if (line !== '') throw new HttpFault('InvalidHTTPChunk')
    this.#step = () => this.#readChunkSize()
    return true
  }

  #readTrailer(): boolean {
    const before = this.#rest.length
    const line = this.#takeLine(MOST_CHUNK_LINE_BYTES, 'InvalidHTTPChunk')
    this.#headLength += before - this.#rest.length
    if (this.#headLength > MOST_HEAD_BYTES) throw new HttpFault('HeadersTooLarge')
    if (line === '') this.isDone = true
    return line !== null
  }
}
