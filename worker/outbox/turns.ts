/** Which tenants a drain serves next. */
import { monotonicMs } from '../../core/platform/clock.ts'

/** What a batch has drained. */
export interface Drained {
  /** Tenants of which events were drained. */
  served: string[]
  /** Tenants of which more may be waiting. */
  more: string[]
}

export const NOTHING: Drained = { served: [], more: [] }

/** Whose turn it is: a batch may be too small for an event of each tenant. */
export class Turns {
  /** Those whose turn was longest ago first. */
  readonly #served = new Set<string>()

  order(tenants: string[]): string[] {
    const wanted = new Set(tenants)
    return [...wanted.difference(this.#served), ...[...this.#served].filter((id) => wanted.has(id))]
  }

  note(served: string[]): void {
    for (const id of served) {
      this.#served.delete(id)
      this.#served.add(id)
    }
  }
}

/** Tenants that are not served for some time. */
export class Aside {
  /** Until when, on the monotonic clock; the oldest first. */
  readonly #until = new Map<string, number>()

  constructor(private readonly ms: number) {}

  add(tenant: string): void {
    this.#until.delete(tenant)
    this.#until.set(tenant, monotonicMs() + this.ms)
  }

  without(tenants: string[]): string[] {
    for (const [tenant, until] of this.#until) {
      if (until > monotonicMs()) break
      this.#until.delete(tenant)
    }
    return this.#until.size === 0 ? tenants : tenants.filter((id) => !this.#until.has(id))
  }
}
