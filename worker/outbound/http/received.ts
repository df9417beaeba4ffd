/** Bytes that arrived and were not read yet. */

const EMPTY = Buffer.alloc(0)
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * A queue of bytes. Where they drip in one by one, those that are here already are neither searched nor copied each time.
 */
export class Received {
  #bytes: Buffer = EMPTY
  #start = 0
  #end = 0
  /** Where the next search begins. */
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

  /** Moves what is here into memory with room for more, and for as much again. */
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

  /** @returns where it began */
  #skip(length: number): number {
    const start = this.#start
    this.#start = this.#from = start + length
    return start
  }

  /** The first bytes as text, as far as they are here. */
  peek(length: number): string {
    return this.#bytes.toString('latin1', this.#start, Math.min(this.#start + length, this.#end))
  }

  /** The place of the next line feed; -1 where none is here. */
  #findLineFeed(): number {
    const { length } = this.#bytes
    // What lies behind the end is not ours to read.
    const here = this.#end === length ? this.#bytes : this.#bytes.subarray(0, this.#end)
    return here.indexOf(LINE_FEED, this.#from)
  }

  /** The length of the next line with its line feed; null where that is not here yet. */
  lineLength(): number | null {
    const at = this.#findLineFeed()
    this.#from = at === -1 ? this.#end : at
    return at === -1 ? null : at + 1 - this.#start
  }

  /** The length of everything up to the end of the next empty line; null where that is not here yet. */
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
