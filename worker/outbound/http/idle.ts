/** Idle connections, which the next request of the same owner to the same server can reuse. */
import { monotonicMs } from '../../../core/platform/clock.ts'
import type { Connection } from './connection.ts'

interface IdleConnection {
  key: string
  connection: Connection
  /** By the monotonic clock. */
  until: number
}

/** Keeps a limited number of connections for a short time. The oldest is closed first. */
export class IdleConnections {
  /** Oldest first, in both collections. */
  readonly #idle = new Set<IdleConnection>()
  readonly #byKey = new Map<string, IdleConnection[]>()
  #isSweeping = false

  /**
   * @param limit the maximum number of connections
   * @param keepMs how long each is kept; servers should keep theirs for longer
   */
  constructor(
    private readonly limit: number,
    private readonly keepMs: number,
  ) {}

  get size(): number {
    return this.#idle.size
  }

  /** Takes the connection that was used last, because it is the most likely to be still open. */
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
    if (oldest && this.#idle.size >= this.limit) this.#drop(oldest)
    const idle: IdleConnection = { key, connection, until: monotonicMs() + this.keepMs }
    this.#idle.add(idle)
    const others = this.#byKey.get(key)
    if (others) others.push(idle)
    else this.#byKey.set(key, [idle])
    if (!this.#isSweeping) this.#sweepIn(this.keepMs)
  }

  /** One timer for all connections, because most are reused before they expire. It does not keep the process alive. */
  #sweepIn(ms: number): void {
    this.#isSweeping = true
    setTimeout(() => this.#sweep(), ms).unref()
  }

  #sweep(): void {
    this.#isSweeping = false
    const now = monotonicMs()
    for (const idle of this.#idle) if (idle.until <= now) this.#drop(idle)
    const [oldest] = this.#idle
    if (oldest) this.#sweepIn(oldest.until - now)
  }

  #drop(idle: IdleConnection): void {
    this.#remove(idle)
    idle.connection.close()
  }

  /** Only the first or the last connection of a key is ever removed. */
  #remove(idle: IdleConnection): void {
    this.#idle.delete(idle)
    const others = this.#byKey.get(idle.key) ?? []
    if (others.at(-1) === idle) others.pop()
    else others.shift()
    if (others.length === 0) this.#byKey.delete(idle.key)
  }
}
