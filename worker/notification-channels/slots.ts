/** Places for what is under way at once. Whoever is doubtful may take a part of them alone. */
export class Slots {
  #taken = 0
  #doubtful = 0
  #waiting: { doubtful: boolean; enter: () => void }[] = []

  constructor(
    private readonly all: number,
    private readonly forDoubtful: number,
  ) {}

  #fits(doubtful: boolean): boolean {
    return this.#taken < this.all && (!doubtful || this.#doubtful < this.forDoubtful)
  }

  /** Resolves once there is a place, with what gives it back. */
  async enter(doubtful: boolean): Promise<() => void> {
    if (this.#fits(doubtful)) this.#take(doubtful)
    else {
      await new Promise<void>((resolve) => {
        this.#waiting.push({ doubtful, enter: resolve })
      })
    }
    return () => this.#leave(doubtful)
  }

  #take(doubtful: boolean): void {
    this.#taken += 1
    if (doubtful) this.#doubtful += 1
  }

  #leave(doubtful: boolean): void {
    this.#taken -= 1
    if (doubtful) this.#doubtful -= 1
    // The first for whom there is room now; its place is taken before anybody else can ask.
    const index = this.#waiting.findIndex((each) => this.#fits(each.doubtful))
    const [next] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (!next) return
    this.#take(next.doubtful)
    next.enter()
  }
}
