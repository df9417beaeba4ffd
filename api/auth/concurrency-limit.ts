/** Work of which a few pieces run at once, while no more than so many wait, and none for too long. */
export class Turns {
  #running = 0
  /** In the order in which they came: each call begins the work of one. */
  #waiting = new Set<() => void>()

  /**
   * @param atOnce how many run
   * @param inLine how many may wait: an endless line helps nobody in it
   * @param patienceMs how long one may wait: by then nobody listens for the answer any more
   * @param refusal makes what those hear whose turn does not come
   */
  constructor(
    readonly atOnce: number,
    readonly inLine: number,
    readonly patienceMs: number,
    readonly refusal: () => Error,
  ) {}

  /** Does a piece of work when it is its turn: first come, first served. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.atOnce) this.#running += 1
    else await this.#wait()
    try {
      return await work()
    } finally {
      // Whoever is next takes over the place, so that nobody slips in between.
      const [next] = this.#waiting
      if (next) next()
      else this.#running -= 1
    }
  }

  async #wait(): Promise<void> {
    if (this.#waiting.size >= this.inLine) throw this.refusal()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = () => {
      this.#waiting.delete(begin)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(begin)
      reject(this.refusal())
    }, this.patienceMs)
    this.#waiting.add(begin)
    return promise
  }
}
