import { FairQueue } from './fair-queue.ts'

/** A task that waits. */
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
