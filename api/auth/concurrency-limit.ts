/** A task that waits. */
interface Waiting {
  start(): void
  refuse(): void
}

/**
 * Runs at most a number of tasks concurrently. Further tasks wait in a bounded queue, up to a timeout. Clients take turns: however many
 * tasks one of them has waiting, a task of another client waits for one of theirs at most. When the queue is full, the client with the
 * most tasks in it gives way.
 */
export class ConcurrencyLimit {
  #running = 0
  /** The waiting tasks of each client in order of arrival. The first client is the next. */
  #waiting = new Map<string, Set<Waiting>>()
  #waitingCount = 0

  /**
   * @param maxRunning how many tasks run concurrently
   * @param maxWaiting how many tasks may wait
   * @param timeoutMs how long a task may wait
   * @param rejection makes the error for tasks that cannot run
   */
  constructor(
    readonly maxRunning: number,
    readonly maxWaiting: number,
    readonly timeoutMs: number,
    readonly rejection: () => Error,
  ) {}

  /** Runs a task of a client when it is its turn and there is capacity. */
  async run<Result>(client: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.maxRunning) this.#running += 1
    else await this.#wait(client)
    try {
      return await work()
    } finally {
      // The next task takes over the slot directly, so that no newer one gets it first.
      if (!this.#startNext()) this.#running -= 1
    }
  }

  async #wait(client: string): Promise<void> {
    if (this.#waitingCount >= this.maxWaiting) this.#makeRoom(client)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (settle: () => void) => () => {
      clearTimeout(timer)
      this.#remove(client, waiting)
      settle()
    }
    const waiting: Waiting = { start: leave(resolve), refuse: leave(() => reject(this.rejection())) }
    const timer = setTimeout(waiting.refuse, this.timeoutMs)
    this.#waiting.set(client, (this.#waiting.get(client) ?? new Set()).add(waiting))
    this.#waitingCount += 1
    return promise
  }

  #remove(client: string, waiting: Waiting): void {
    const queue = this.#waiting.get(client)
    if (!queue?.delete(waiting)) return
    this.#waitingCount -= 1
    if (queue.size === 0) this.#waiting.delete(client)
  }

  /** Starts the next task, and puts its client behind the others. @returns false if no task waits */
  #startNext(): boolean {
    const [next] = this.#waiting
    if (!next) return false
    const [client, queue] = next
    const [first] = queue
    first?.start()
    if (this.#waiting.delete(client)) this.#waiting.set(client, queue)
    return true
  }

  /** Refuses the newest task of the client with the most. @throws the rejection if that would not make the queue fairer */
  #makeRoom(client: string): void {
    const longest = [...this.#waiting.values()].reduce((one, other) => (other.size > one.size ? other : one))
    if (longest.size <= (this.#waiting.get(client)?.size ?? 0) + 1) throw this.rejection()
    const newest = [...longest].at(-1)
    newest?.refuse()
  }
}
