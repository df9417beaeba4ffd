/** Bytes that were received and not yet read. */

const EMPTY = Buffer.alloc(0)
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** A queue of bytes. If bytes arrive one by one, earlier ones are neither searched nor copied again each time. */
export class ByteQueue {
  #bytes: Buffer = EMPTY
  #start = 0
  #end = 0
  /** Where the next search starts. */
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
