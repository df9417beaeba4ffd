/** Connections that wait for the next request to the same place by the same owner. */
import type { Connection } from './connection.ts'

interface Idle {
  key: string
  connection: Connection
  timer: ReturnType<typeof setTimeout>
}

/** Keeps a bounded number of connections for a short time; the oldest go first. */
export class IdleConnections {
  readonly #idle = new Set<Idle>()
  readonly #byKey = new Map<string, Idle[]>()

  /**
   * @param most connections of all keys together
   * @param keptMs how long each waits; servers should keep theirs for longer
   */
  constructor(
    private readonly most: number,
    private readonly keptMs: number,
  ) {}

  get size(): number {
    return this.#idle.size
  }

  /** Takes the one that was used last, which is the likeliest to be open still. */
  async take(key: string): Promise<Connection | null> {
    for (let idle = this.#byKey.get(key)?.at(-1); idle; idle = this.#byKey.get(key)?.at(-1)) {
      this.#remove(idle)
      if (await idle.connection.isUsable()) return idle.connection
      idle.connection.close()
    }
    return null
  }

  keep(key: string, connection: Connection): void {
    const [oldest] = this.#idle
    if (oldest && this.#idle.size >= this.most) this.#drop(oldest)
    const idle: Idle = { key, connection, timer: setTimeout(() => this.#drop(idle), this.keptMs) }
    this.#idle.add(idle)
    const others = this.#byKey.get(key)
    if (others) others.push(idle)
    else this.#byKey.set(key, [idle])
  }

  #drop(idle: Idle): void {
    this.#remove(idle)
    idle.connection.close()
  }

  #remove(idle: Idle): void {
    clearTimeout(idle.timer)
    this.#idle.delete(idle)
    const left = (this.#byKey.get(idle.key) ?? []).filter((other) => other !== idle)
    if (left.length > 0) this.#byKey.set(idle.key, left)
    else this.#byKey.delete(idle.key)
  }
}
