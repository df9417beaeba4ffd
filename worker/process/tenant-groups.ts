/** Which tenants the worker serves next, and which of them in one transaction. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import { cluster } from '../../sql/cluster.ts'
import { type Fragment, PostgresError, type Tx } from '../../sql/index.ts'
import { acrossTenants, unmarked } from '../../sql/reach.ts'
import { isOutage } from './errors.ts'

/** Maximum number of tenants in one transaction. */
const MAX_TENANTS = 500

/** What the tenants have in common that a transaction may serve together: nothing, or on a cluster that they are one. */
export const groupOf = (organization_id: string): string => (cluster() ? organization_id : '')

function groupsOf(tenants: string[], most: number): string[][] {
  const distinct = [...new Set(tenants)]
  const size = cluster() ? 1 : most
  return Array.from({ length: Math.ceil(distinct.length / size) }, (_, at) => distinct.slice(at * size, (at + 1) * size))
}

/** Whether others can be served after this error. */
const concernsGroup = (error: unknown): boolean => !isOutage(error) || (cluster() !== null && error instanceof PostgresError)

/**
 * Serves tenants, many in one transaction. A tenant that cannot be served does not prevent the others: a group that fails is served one by
 * one, and the first error is thrown in the end.
 */
export async function serveTenants<Result>(
  tenants: string[],
  serve: (tenants: string[]) => Promise<Result>,
  most = MAX_TENANTS,
): Promise<Result[]> {
  const results: Result[] = []
  const failed: { organization_id: string | undefined; error: unknown }[] = []
  const groups = groupsOf(tenants, most)
  for (const group of groups) {
    try {
      results.push(await serve(group))
    } catch (error) {
      if (!concernsGroup(error)) throw error
      if (group.length > 1) groups.push(...group.map((tenant) => [tenant]))
      else failed.push({ organization_id: group[0], error })
    }
  }
  const [first] = failed
  if (!first) return results
  log.warn({ ...first, organizations: failed.length }, 'some organizations could not be served')
  throw first.error
}

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

export class Cooldown {
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

interface DueRows {
  table: Fragment
  organization_id: Fragment
  condition: Fragment
}

/** Rows that are due, of organizations that are not deleted. @param name by which the condition refers to the table */
export function dueRows(table: Fragment, condition: Fragment, name = table): DueRows {
  const organization_id = sql`${name}.organization_id`
  return {
    table: sql`${table} as ${name}`,
    organization_id,
    condition: sql`${condition} and ${isActiveOrganization(organization_id)}`,
  }
}

/** Serves all rows that are due: of many tenants in one transaction, and `most` of them. */
export async function serveAllDue(
  { table, organization_id, condition }: DueRows,
  most: number,
  serve: (tx: Tx, condition: Fragment) => Promise<number>,
): Promise<void> {
  for (let served = most; served >= most; ) {
    const due = await acrossTenants(
      sql<{ organization_id: string }[]>`select distinct ${organization_id} from ${table} where ${condition}`,
      'partly',
    )
    const counts = await serveTenants(
      due.map((each) => each.organization_id),
      (tenants) => transaction((tx) => serve(tx, sql`${condition} and ${organization_id} = any(${tenants}::uuid[])`)),
    )
    served = counts.reduce((sum, each) => sum + each, 0)
  }
}

/** Serves the rows of a table of tenants that fulfil a condition: all at once, or on a cluster one tenant after the other. */
export async function serveTable(
  table: string,
  condition: Fragment,
  serve: (condition: Fragment, mark: typeof acrossTenants) => Promise<void>,
): Promise<void> {
  if (!cluster()) return serve(condition, acrossTenants)
  const tenants = await acrossTenants(
    sql<{ organization_id: string }[]>`select distinct organization_id from ${sql(table)} where ${condition}`,
    'partly',
  )
  for (const { organization_id } of tenants) await serve(sql`${condition} and organization_id = ${organization_id}`, unmarked)
}
