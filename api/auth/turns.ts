/** Work of which a few pieces run at once, and no more than so many wait: an endless queue helps nobody in it. */
export class Turns {
  #running = 0
  #waiting: (() => void)[] = []

  /**
   * @param atOnce how many run
   * @param inLine how many may wait
   * @param refuse throws what those hear who find the line full
   */
  constructor(
    readonly atOnce: number,
    readonly inLine: number,
    readonly refuse: () => never,
  ) {}

  /** Does a piece of work when it is its turn: first come, first served. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.atOnce) this.#running += 1
    else if (this.#waiting.length >= this.inLine) this.refuse()
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever is next takes over the place, so that nobody slips in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
