/** Connections that wait for the next request to the same place by the same owner. */
import { monotonicMs } from '../../../core/platform/clock.ts'
import type { Connection } from './connection.ts'

interface Idle {
  key: string
  connection: Connection
  /** By the monotonic clock. */
  until: number
}

/** Keeps a bounded number of connections for a short time; the oldest go first. */
export class IdleConnections {
  /** Oldest first, here and by key. */
  readonly #idle = new Set<Idle>()
  readonly #byKey = new Map<string, Idle[]>()
  #isSweeping = false

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
    const idle: Idle = { key, connection, until: monotonicMs() + this.keptMs }
    this.#idle.add(idle)
    const others = this.#byKey.get(key)
    if (others) others.push(idle)
    else this.#byKey.set(key, [idle])
    if (!this.#isSweeping) this.#sweepIn(this.keptMs)
  }

  /** One timer for all: most are taken again before their time. It keeps no process alive, as the connections do. */
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

  #drop(idle: Idle): void {
    this.#remove(idle)
    idle.connection.close()
  }

  /** Only the first or the last of a key ever goes. */
  #remove(idle: Idle): void {
    this.#idle.delete(idle)
    const others = this.#byKey.get(idle.key) ?? []
    if (others.at(-1) === idle) others.pop()
    else others.shift()
    if (others.length === 0) this.#byKey.delete(idle.key)
  }
}
