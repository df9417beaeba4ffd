/** Which tenants the worker can serve, and which of them in one transaction. */
import { sql } from '../../core/platform/database.ts'
import { codeOf } from '../../core/platform/error-fields.ts'
import { PostgresError } from '../../sql/index.ts'

let areTogether: boolean | undefined

/**
 * Whether one transaction may serve several tenants: on one PostgreSQL, where larger batches cost less. On a cluster (docs/citus.md) each
 * tenant gets its own, so that only tenants whose node is away wait. Read once: a database is distributed while no process runs.
 */
export async function servesTogether(): Promise<boolean> {
  if (areTogether === undefined) {
    const [{ together }] = await sql<[{ together: boolean }]>`select tenants_share_transactions() as together`
    areTogether = together
  }
  return areTogether
}

/** Splits tenants into groups for one transaction each. Names each tenant once. */
export async function transactionsFor(tenants: string[]): Promise<string[][]> {
  const distinct = [...new Set(tenants)]
  if (distinct.length < 2) return distinct.map((tenant) => [tenant])
  return (await servesTogether()) ? [distinct] : distinct.map((tenant) => [tenant])
}

type Fragment = ReturnType<typeof sql>

/** SQL: whether a row belongs to one of some tenants; null for all. */
export const isAmong = (organization_id: Fragment, among: string[] | null): Fragment =>
  among === null ? sql`true` : sql`${organization_id} = any(${among}::uuid[])`

/** Class 08: the coordinator of a cluster could not connect to a node. */
const isNodeAway = (error: unknown): boolean => error instanceof PostgresError && codeOf(error).startsWith('08')

/**
 * Searches over all tenants. If a node of a cluster is away, searches over the tenants of the other nodes.
 *
 * @param search `among` are the tenants to search; null for all
 */
export async function withinReach<Found>(search: (among: string[] | null) => Promise<Found>): Promise<Found> {
  try {
    return await search(null)
  } catch (error) {
    if (!isNodeAway(error)) throw error
    const reachable = await sql<{ id: string }[]>`select id from reachable_tenants() as id`
    return await search(reachable.map(({ id }) => id))
  }
}

/**
 * Serves the tenants with something due.
 *
 * @param find finds them
 * @param serve serves some of them in one transaction, and returns how much was done
 * @returns how much was done in total
 */
export async function serveDue(
  find: (among: string[] | null) => Promise<{ organization_id: string }[]>,
  serve: (tenants: string[]) => Promise<number>,
): Promise<number> {
  const due = await withinReach(find)
  let done = 0
  for (const tenants of await transactionsFor(due.map(({ organization_id }) => organization_id))) done += await serve(tenants)
  return done
}
