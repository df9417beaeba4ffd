/** Deletes many rows in batches, each in a separate transaction, so that other transactions do not wait. */
import type { PendingQuery, Row } from 'postgres'
import { sql } from '../../core/platform/database.ts'
import { isStopping } from '../process/heartbeat.ts'
import { servesTogether } from '../process/tenant-groups.ts'

const BATCH = 1_000
/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

export type Fragment = PendingQuery<Row[]>

/** @throws Error if this process is stopping, so that the job is retried by another worker */
function throwIfStopping(): void {
  if (isStopping()) throw new Error('The worker is stopping; the job will be retried')
}

/** The start of a condition: nothing, or one that restricts rows to a tenant. */
const ALL: Fragment = sql``
const only = (tenant: string): Fragment => sql`organization_id = ${tenant} and`

/** The tenants of rows that match a condition. */
async function tenantsOf(table: string, condition: Fragment): Promise<string[]> {
  const tenants = await sql<{ id: string }[]>`select distinct organization_id as id from ${sql(table)} where ${condition}`
  return tenants.map(({ id }) => id)
}

async function deleteBatches(table: string, within: Fragment, condition: Fragment): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    throwIfStopping()
    ;({ count } = await sql`
      delete from ${sql(table)}
      where ${within} ctid = any(array(
        select ctid from ${sql(table)} where ${within} ${condition} limit ${BATCH} for update skip locked
      ))
    `)
  }
}

/**
 * Deletes the rows that match a condition, which must be indexed, from a table that does not belong to tenants. Locked rows are
 * skipped until the next night.
 */
export const deleteWhere = (table: string, condition: Fragment): Promise<void> => deleteBatches(table, ALL, condition)

/**
 * The same for a table of tenants: on a cluster (docs/citus.md) one after the other.
 *
 * @param condition `tenant` restricts what a subquery reads, by which a cluster finds the node; null for all
 */
export async function deleteTenantRowsWhere(table: string, condition: (tenant: string | null) => Fragment): Promise<void> {
  if (await servesTogether()) return deleteBatches(table, ALL, condition(null))
  for (const tenant of await tenantsOf(table, condition(null))) await deleteBatches(table, only(tenant), condition(tenant))
}

async function deletePages(table: string, within: Fragment, before: string, condition: Fragment): Promise<void> {
  for (let after: string | null = FIRST; after !== null; ) {
    throwIfStopping()
    const [page]: { last: string | null }[] = await sql<{ last: string | null }[]>`
      with page as (
        select id from ${sql(table)} where ${within} id > ${after} and id < ${before} order by id limit ${BATCH}
      ),
      gone as (
        delete from ${sql(table)} as old where ${within} id in (select id from page) and ${condition}
      )
      select max(id::text)::uuid as last from page
    `
    after = page?.last ?? null
  }
}

/**
 * Deletes the rows with ids before the given one that match a condition, from a table that does not belong to tenants. Walks over
 * them once, page by page in the order of ids (UUIDv7), so that rows that stay are read only once.
 *
 * @param before the first id to keep
 * @param condition on `old`
 */
export const deleteOlder = (table: string, before: string, condition: Fragment): Promise<void> =>
  deletePages(table, ALL, before, condition)

/** The same for a table of tenants. */
export async function deleteOlderTenantRows(table: string, before: string, condition: Fragment): Promise<void> {
  if (await servesTogether()) return deletePages(table, ALL, before, condition)
  for (const tenant of await tenantsOf(table, sql`id < ${before}`)) await deletePages(table, only(tenant), before, condition)
}
