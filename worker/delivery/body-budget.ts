/** Bounds the bodies that a worker holds in memory: read and not yet sent. Templates can make a mebibyte of a small event. */
import { discardText } from '../../core/platform/garbage.ts'

/** What one lane reads at most, after its first item. */
const LANE_BYTES = 1_048_576
/** What a tenant may hold however much others hold. Bodies are mostly a few kilobytes. */
const GUARANTEED = 262_144

/** Shared by all lanes of a process. No tenant gets more than half. */
export class BodyBudget {
  #held = 0
  readonly #byTenant = new Map<string, number>()
  #freed = Promise.withResolvers<void>()

  /** @param size in characters of bodies, about the same as bytes */
  constructor(private readonly size: number) {}

  /** How much a tenant may read now. Its first item may be larger. */
  room(tenant: string): number {
    const held = this.#byTenant.get(tenant) ?? 0
    const shared = Math.min(this.size - this.#held, this.size / 2 - held)
    return Math.min(LANE_BYTES, Math.max(0, GUARANTEED - held, shared))
  }

  hold(tenant: string, amount: number): void {
    this.#add(tenant, amount)
  }

  release(tenant: string, amount: number): void {
    if (amount === 0) return
    this.#add(tenant, -amount)
    discardText(amount)
  }

  freed(): Promise<void> {
    return this.#freed.promise
  }

  #add(tenant: string, amount: number): void {
    this.#held += amount
    const held = (this.#byTenant.get(tenant) ?? 0) + amount
    if (held === 0) this.#byTenant.delete(tenant)
    else this.#byTenant.set(tenant, held)
    if (amount > 0) return
    this.#freed.resolve()
    this.#freed = Promise.withResolvers()
  }
}
