/** Permits: how many requests one worker has in flight, shared fairly between tenants. */

/** The right to have one request in flight. */
export interface Permit {
  tenant: string
  isDoubtful: boolean
}

interface Applicant {
  isDoubtful: boolean
  grant: (permit: Permit) => void
}

/** What a tenant holds, and which of its lanes wait for more, longest first. */
interface Tenant {
  id: string
  held: number
  applicants: Applicant[]
}

/**
 * A permit goes to the tenant that holds the fewest, and among those to the one that has waited longest. The last tenth is
 * reserved for tenants that hold none, so that slow receivers of one tenant cannot occupy a whole worker. Lanes whose
 * destinations have been failing share half of the permits.
 */
export class Permits {
  #held = 0
  #doubtful = 0
  readonly #tenants = new Map<string, Tenant>()
  /** Tenants with applicants, by how many permits they hold, in the order in which they began to wait with so many. */
  readonly #waiting: Set<Tenant>[]
  readonly #reserved: number
  readonly #forDoubtful: number

  /** @param size how many requests may be in flight at once */
  constructor(private readonly size: number) {
    this.#reserved = Math.round(size / 10)
    this.#forDoubtful = Math.max(1, Math.floor(size / 2))
    this.#waiting = Array.from({ length: size + 1 }, () => new Set())
  }

  /** Tenants that hold permits here, or wait for one. */
  tenants(): string[] {
    return [...this.#tenants.keys()]
  }

  /** Resolves with a permit once it is the tenant's turn. */
  acquire(id: string, isDoubtful: boolean): Promise<Permit> {
    const tenant = this.#tenants.get(id) ?? { id, held: 0, applicants: [] }
    this.#tenants.set(id, tenant)
    return new Promise((grant) => {
      tenant.applicants.push({ isDoubtful, grant })
      this.#waiting[tenant.held]?.add(tenant)
      this.#grantNext()
    })
  }

  release({ tenant: id, isDoubtful }: Permit): void {
    this.#held -= 1
    if (isDoubtful) this.#doubtful -= 1
    const tenant = this.#tenants.get(id)
    if (tenant) this.#hold(tenant, tenant.held - 1)
    this.#grantNext()
  }

  /** The tenant holds so many from now on. */
  #hold(tenant: Tenant, held: number): void {
    this.#waiting[tenant.held]?.delete(tenant)
    tenant.held = held
    if (tenant.applicants.length > 0) this.#waiting[held]?.add(tenant)
    else if (held === 0) this.#tenants.delete(tenant.id)
  }

  #grantNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const [tenant, index] = next
      const [applicant] = tenant.applicants.splice(index, 1)
      if (!applicant) return
      this.#held += 1
      if (applicant.isDoubtful) this.#doubtful += 1
      this.#hold(tenant, tenant.held + 1)
      applicant.grant({ tenant: tenant.id, isDoubtful: applicant.isDoubtful })
    }
  }

  /** Who is next, with the place of the lane among the tenant's applicants; null where none is. */
  #next(): [Tenant, number] | null {
    const free = this.size - this.#held
    if (free === 0) return null
    const most = free <= this.#reserved ? 0 : this.size
    for (let held = 0; held <= most; held++) {
      const waiting = this.#waiting[held]
      if (!waiting?.size) continue
      for (const tenant of waiting) {
        const index = this.#doubtful < this.#forDoubtful ? 0 : tenant.applicants.findIndex(({ isDoubtful }) => !isDoubtful)
        if (index !== -1) return [tenant, index]
      }
    }
    return null
  }
}
