/** Deletes many rows in batches, each in a separate transaction, so that other transactions do not wait. */
import { sql } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'
import { isStopping } from '../process/heartbeat.ts'
import { serveGroups } from '../process/tenant-groups.ts'

const BATCH = 1_000
/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** @throws Error if this process is stopping, so that the job is retried by another worker */
function throwIfStopping(): void {
  if (isStopping()) throw new Error('The worker is stopping; the job will be retried')
}

/** Deletes the rows that match a condition, which must be indexed. Locked rows are skipped until the next night. */
export const deleteWhere = (table: string, condition: Fragment): Promise<void> =>
  serveGroups(table, condition, async (condition) => {
    for (let count = BATCH; count === BATCH; ) {
      throwIfStopping()
      ;({ count } = await sql`
        delete from ${sql(table)}
        where ctid = any(array(
          select ctid from ${sql(table)} where ${condition} limit ${BATCH} for update skip locked
        ))
      `)
    }
  })

/**
 * Deletes the rows with ids before the given one that match a condition. Walks over them once, page by page in the order of ids (UUIDv7), so
 * that rows that stay are read only once.
 *
 * @param before the first id to keep
 * @param condition on `old`
 */
export const deleteOlder = (table: string, before: string, condition: Fragment): Promise<void> =>
  serveGroups(table, sql`id < ${before}`, async (isOlder) => {
    for (let after: string | null = FIRST; after !== null; ) {
      throwIfStopping()
      const [page]: { last: string | null }[] = await sql<{ last: string | null }[]>`
        with page as (
          select id from ${sql(table)} where id > ${after} and ${isOlder} order by id limit ${BATCH}
        ),
        gone as (
          delete from ${sql(table)} as old where id in (select id from page) and ${condition}
        )
        select max(id::text)::uuid as last from page
      `
      after = page?.last ?? null
    }
  })
