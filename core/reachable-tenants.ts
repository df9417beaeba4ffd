/** Searches over all tenants, also while a node of a cluster (docs/citus.md) is away. */
import { PostgresError } from '../sql/index.ts'
import { sql } from './platform/database.ts'
import { codeOf } from './platform/error-fields.ts'

type Fragment = ReturnType<typeof sql>

/** A search over the tenants with these ids; null for all. */
export type Search<Found> = (among: string[] | null) => Promise<Found>

/** SQL: whether a row belongs to one of some tenants; null for all. */
export const isAmong = (organization_id: Fragment, among: string[] | null): Fragment =>
  among === null ? sql`true` : sql`${organization_id} = any(${among}::uuid[])`

/** Class 08: the coordinator could not connect to a node. */
const isNodeAway = (error: unknown): boolean => error instanceof PostgresError && codeOf(error).startsWith('08')

async function reachableTenants(): Promise<string[]> {
  const reachable = await sql<{ id: string }[]>`select id from reachable_tenants() as id`
  return reachable.map(({ id }) => id)
}

/** Searches over all tenants. If a node is away, searches over the tenants of the other nodes. */
export async function withinReach<Found>(search: Search<Found>): Promise<Found> {
  try {
    return await search(null)
  } catch (error) {
    if (!isNodeAway(error)) throw error
    return await search(await reachableTenants())
  }
}

/** The same for one row. @throws the error of the node that is away, if it may have the row */
export async function findWithinReach<Found>(search: Search<Found | undefined>): Promise<Found | undefined> {
  try {
    return await search(null)
  } catch (error) {
    if (!isNodeAway(error)) throw error
    const found = await search(await reachableTenants())
    if (found === undefined) throw error
    return found
  }
}
