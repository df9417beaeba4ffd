/** Slots limit how many requests one worker has in flight, and share that number fairly between tenants. */

export type Slot = { tenant: string; isFailing: boolean }

/** The slots that a tenant holds, and the requests of its lanes, oldest first. */
interface SlotHolder {
  id: string
  held: number
  requests: { isFailing: boolean; grant: (slot: Slot) => void }[]
}

/**
 * A slot goes to the tenant that holds the fewest, and among those to the one that has waited longest. The last quarter is
 * reserved for tenants that hold none, so that slow receivers of some tenants cannot occupy a whole worker: a slot cannot be taken back,
 * and each further tenant takes one of these. Lanes with failing destinations share half of the slots.
 */
export class Slots {
  #held = 0
  #heldByFailing = 0
  readonly #tenants = new Map<string, SlotHolder>()
  /** Tenants with open requests, indexed by how many slots they hold; in each set, the one that waited longest is first. */
  readonly #waiting: Set<SlotHolder>[]
  readonly #reserved: number
  readonly #failingLimit: number

  /** @param size how many requests may be in flight at once */
  constructor(private readonly size: number) {
    this.#reserved = Math.floor(size / 4)
    this.#failingLimit = Math.max(1, Math.floor(size / 2))
    this.#waiting = Array.from({ length: size + 1 }, () => new Set())
  }

  tenants(): string[] {
    return [...this.#tenants.keys()]
  }

  /** Resolves with a slot once it is the tenant's turn. */
  acquire(id: string, isFailing: boolean): Promise<Slot> {
    const tenant = this.#tenants.get(id) ?? { id, held: 0, requests: [] }
    this.#tenants.set(id, tenant)
    return new Promise((grant) => {
      tenant.requests.push({ isFailing, grant })
      this.#waiting[tenant.held]?.add(tenant)
      this.#grantNext()
    })
  }

  release({ tenant: id, isFailing }: Slot): void {
    this.#held -= 1
    if (isFailing) this.#heldByFailing -= 1
    const tenant = this.#tenants.get(id)
    if (tenant) this.#setHeld(tenant, tenant.held - 1)
    this.#grantNext()
  }

  #setHeld(tenant: SlotHolder, held: number): void {
    this.#waiting[tenant.held]?.delete(tenant)
    tenant.held = held
    if (tenant.requests.length > 0) this.#waiting[held]?.add(tenant)
    else if (held === 0) this.#tenants.delete(tenant.id)
  }

  #grantNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const [tenant, index] = next
      const [request] = tenant.requests.splice(index, 1)
      if (!request) return
      this.#held += 1
      if (request.isFailing) this.#heldByFailing += 1
      this.#setHeld(tenant, tenant.held + 1)
      request.grant({ tenant: tenant.id, isFailing: request.isFailing })
    }
  }

  /** The tenant that gets the next slot, and the index of its request; null if no slot can be granted. */
  #next(): [SlotHolder, number] | null {
    const free = this.size - this.#held
    if (free === 0) return null
    const most = free <= this.#reserved ? 0 : this.size
    for (let held = 0; held <= most; held++) {
      const waiting = this.#waiting[held]
      if (!waiting?.size) continue
      for (const tenant of waiting) {
        const mayServeFailing = this.#heldByFailing < this.#failingLimit
        const index = mayServeFailing ? 0 : tenant.requests.findIndex(({ isFailing }) => !isFailing)
        if (index !== -1) return [tenant, index]
      }
    }
    return null
  }
}
