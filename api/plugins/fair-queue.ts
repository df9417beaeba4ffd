/** A queue in which clients take turns, however much each of them has in it. */

/**
 * The place of an item is a path of names, from the widest group to the client. Groups take turns too, so that one with many clients
 * gets no more than another.
 */
export class FairQueue<Item> {
  size = 0
  /** The first is the next. */
  readonly #parts = new Map<string, FairQueue<Item>>()
  /** Those whose path ends here, in order of arrival. */
  readonly #items = new Set<Item>()

  add([name, ...rest]: readonly string[], item: Item): void {
    this.size += 1
    if (name === undefined) {
      this.#items.add(item)
      return
    }
    const part = this.#parts.get(name) ?? new FairQueue<Item>()
    this.#parts.set(name, part)
    part.add(rest, item)
  }

  /** @returns false if it was not in the queue */
  remove([name, ...rest]: readonly string[], item: Item): boolean {
    const part = name === undefined ? undefined : this.#parts.get(name)
    const isFound = name === undefined ? this.#items.delete(item) : (part?.remove(rest, item) ?? false)
    if (!isFound) return false
    this.size -= 1
    if (name !== undefined && part?.size === 0) this.#parts.delete(name)
    return true
  }

  /** The next item, which stays in the queue. Its owner is put behind the others. */
  next(): Item | undefined {
    const [first] = this.#parts
    if (!first) return this.#items.values().next().value
    const [name, part] = first
    this.#parts.delete(name)
    this.#parts.set(name, part)
    return part.next()
  }

  /** The item that gives way to another one at a path: the newest of those with the most. Undefined if that would not be fairer. */
  givingWay([name, ...rest]: readonly string[]): Item | undefined {
    if (name === undefined) return undefined
    const own = this.#parts.get(name)
    const largest = this.#largest()
    return largest && largest !== own && largest.size > (own?.size ?? 0) + 1 ? largest.#newest() : own?.givingWay(rest)
  }

  #largest(): FairQueue<Item> | undefined {
    let largest: FairQueue<Item> | undefined
    for (const part of this.#parts.values()) if (part.size > (largest?.size ?? 0)) largest = part
    return largest
  }

  #newest(): Item | undefined {
    const largest = this.#largest()
    return largest ? largest.#newest() : [...this.#items].at(-1)
  }
}
