/** Deletes many rows in batches, each in a separate transaction, so that other transactions do not wait. */
import type { PendingQuery, Row } from 'postgres'
import { sql } from '../../core/platform/database.ts'
import { isStopping } from '../process/heartbeat.ts'

const BATCH = 1_000

export type Fragment = PendingQuery<Row[]>

/** @throws Error if this process is stopping, so that the job is retried by another worker */
function throwIfStopping(): void {
  if (isStopping()) throw new Error('The worker is stopping; the job will be retried')
}

/** Deletes the rows that match a condition, which must be indexed. Locked rows are skipped until the next night. */
export async function deleteWhere(table: string, condition: Fragment): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    throwIfStopping()
    ;({ count } = await sql`
      delete from ${sql(table)}
      where ctid = any(array(
        select ctid from ${sql(table)} where ${condition} limit ${BATCH} for update skip locked
      ))
    `)
  }
}

/**
 * Deletes the rows with ids before the given one that match a condition. Walks over them once, page by page in the order of ids
 * (UUIDv7), so that rows that stay are read only once.
 *
 * @param before the first id to keep
 * @param condition on `old`
 */
export async function deleteOlder(table: string, before: Fragment, condition: Fragment): Promise<void> {
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
    throwIfStopping()
    const [page]: { last: string | null }[] = await sql<{ last: string | null }[]>`
      with page as (
        select id from ${sql(table)} where id > ${after} and id < ${before} order by id limit ${BATCH}
      ),
      gone as (
        delete from ${sql(table)} as old where id in (select id from page) and ${condition}
      )
      select max(id::text)::uuid as last from page
    `
    after = page?.last ?? null
  }
}
