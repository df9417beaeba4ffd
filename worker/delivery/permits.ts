/** Permits limit how many requests one worker has in flight, and share that number fairly between tenants. */

/** Allows one request to be in flight. */
export interface Permit {
  tenant: string
  isFailing: boolean
}

/** A lane that waits for a permit. */
interface PermitRequest {
  isFailing: boolean
  grant: (permit: Permit) => void
}

/** The permits that a tenant holds, and the requests of its lanes, oldest first. */
interface PermitHolder {
  id: string
  held: number
  requests: PermitRequest[]
}

/**
 * A permit goes to the tenant that holds the fewest, and among those to the one that has waited longest. The last quarter is
 * reserved for tenants that hold none, so that slow receivers of some tenants cannot occupy a whole worker: a permit cannot be taken back,
 * and each further tenant takes one of these. Lanes with failing destinations share half of the permits.
 */
export class Permits {
  #held = 0
  #heldByFailing = 0
  readonly #tenants = new Map<string, PermitHolder>()
  /** Tenants with open requests, indexed by how many permits they hold; in each set, the one that waited longest is first. */
  readonly #waiting: Set<PermitHolder>[]
  readonly #reserved: number
  readonly #failingLimit: number

  /** @param size how many requests may be in flight at once */
  constructor(private readonly size: number) {
    this.#reserved = Math.floor(size / 4)
    this.#failingLimit = Math.max(1, Math.floor(size / 2))
    this.#waiting = Array.from({ length: size + 1 }, () => new Set())
  }

  /** Ids of the tenants that hold permits or wait for one. */
  tenants(): string[] {
    return [...this.#tenants.keys()]
  }

  /** Resolves with a permit once it is the tenant's turn. */
  acquire(id: string, isFailing: boolean): Promise<Permit> {
    const tenant = this.#tenants.get(id) ?? { id, held: 0, requests: [] }
    this.#tenants.set(id, tenant)
    return new Promise((grant) => {
      tenant.requests.push({ isFailing, grant })
      this.#waiting[tenant.held]?.add(tenant)
      this.#grantNext()
    })
  }

  release({ tenant: id, isFailing }: Permit): void {
    this.#held -= 1
    if (isFailing) this.#heldByFailing -= 1
    const tenant = this.#tenants.get(id)
    if (tenant) this.#setHeld(tenant, tenant.held - 1)
    this.#grantNext()
  }

  #setHeld(tenant: PermitHolder, held: number): void {
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

  /** The tenant that gets the next permit, and the index of its request; null if no permit can be granted. */
  #next(): [PermitHolder, number] | null {
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
