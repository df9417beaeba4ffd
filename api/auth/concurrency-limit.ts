/** Runs at most a number of tasks concurrently. Further tasks wait in a bounded queue, in order, up to a timeout. */
export class ConcurrencyLimit {
  #running = 0
  /** Waiting tasks in order of arrival; calling an entry starts it. */
  #waiting = new Set<() => void>()

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

  /** Runs a task when there is capacity, first come, first served. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.maxRunning) this.#running += 1
    else await this.#wait()
    try {
      return await work()
    } finally {
      // The next task takes over the slot directly, so that no newer one gets it first.
      const [next] = this.#waiting
      if (next) next()
      else this.#running -= 1
    }
  }

  async #wait(): Promise<void> {
    if (this.#waiting.size >= this.maxWaiting) throw this.rejection()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = () => {
      this.#waiting.delete(begin)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(begin)
      reject(this.rejection())
    }, this.timeoutMs)
    this.#waiting.add(begin)
    return promise
  }
}
