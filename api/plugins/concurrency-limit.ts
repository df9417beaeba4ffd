/**
 * The place of an item is a path of names, from the widest group to the client. Groups take turns too, so that one with many clients
 * gets no more than another.
 */
class FairQueue<Item> {
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

interface Waiting {
  start(): void
  refuse(): void
}

/** Who wants a task to run: a name, or a path of names from the widest group to the client. */
type Client = string | readonly string[]

/**
 * Runs at most a number of tasks concurrently. Further tasks wait in a bounded queue, up to a timeout. Clients take turns: however many
 * tasks one of them has waiting, a task of another client waits for one of theirs at most. When the queue is full, the client with the
 * most tasks in it gives way.
 */
export class ConcurrencyLimit {
  #running = 0
  readonly #waiting = new FairQueue<Waiting>()

  constructor(
    readonly maxRunning: number,
    readonly maxWaiting: number,
    readonly timeoutMs: number,
    readonly rejection: () => Error,
  ) {}

  async run<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.maxRunning) this.#running += 1
    else await this.#wait([client].flat())
    try {
      return await work()
    } finally {
      // The next task takes over the slot directly, so that no newer one gets it first.
      const next = this.#waiting.next()
      if (next) next.start()
      else this.#running -= 1
    }
  }

  async #wait(path: string[]): Promise<void> {
    if (this.#waiting.size >= this.maxWaiting) this.#makeRoom(path)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (settle: () => void) => () => {
      clearTimeout(timer)
      this.#waiting.remove(path, waiting)
      settle()
    }
    const waiting: Waiting = { start: leave(resolve), refuse: leave(() => reject(this.rejection())) }
    const timer = setTimeout(waiting.refuse, this.timeoutMs)
    this.#waiting.add(path, waiting)
    return promise
  }

  /** Refuses the newest task of the client with the most. @throws the rejection if that would not make the queue fairer */
  #makeRoom(path: string[]): void {
    const newest = this.#waiting.givingWay(path)
    if (!newest) throw this.rejection()
    newest.refuse()
  }
}
