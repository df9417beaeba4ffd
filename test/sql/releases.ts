/** Waiting for a release to block on a lock. */
import type { Sql } from '../../sql/index.ts'

/** Waits until a release of this database waits for a lock. */
export async function untilReleaseWaits(sql: Sql): Promise<void> {
  for (const end = performance.now() + 15_000; performance.now() < end; ) {
    const waiting = await sql`
      select
      from pg_stat_activity
      where datname = current_database()
        and application_name = 'signalbox release'
        and wait_event_type = 'Lock'
        and wait_event <> 'advisory'
    `
    if (waiting.length > 0) return
  }
  throw new Error('no release waits for a lock')
}
