/** Deleting without end in sight: batch after batch, each a transaction of its own, so that nobody waits for it. */
import type { PendingQuery, Row } from 'postgres'
import { sql } from '../../core/platform/database.ts'
import { isStopping } from '../process/heartbeat.ts'

const BATCH = 1_000

export type Fragment = PendingQuery<Row[]>

/** @throws Error where this process stops: the job then goes on elsewhere */
function goOn(): void {
  if (isStopping()) throw new Error('This worker stops; the rest is left to the next run')
}

/** Deletes the rows that a condition finds by an index. What somebody holds at this moment is left to the next night. */
export async function deleteWhere(table: string, condition: Fragment): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    goOn()
    ;({ count } = await sql`
      delete from ${sql(table)}
      where ctid = any(array(
        select ctid from ${sql(table)} where ${condition} limit ${BATCH} for update skip locked
      ))
    `)
  }
}

/**
 * Deletes the rows of a condition among those that are older than a moment, which ids tell: one walk over them, page by
 * page, so that what is to stay is looked at once.
 *
 * @param before the id at which younger rows begin
 * @param condition about `old`
 */
export async function deleteOlder(table: string, before: Fragment, condition: Fragment): Promise<void> {
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
    goOn()
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
