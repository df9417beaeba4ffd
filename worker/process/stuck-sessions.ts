/**
 * Terminates database sessions of Signalbox whose client stopped in the middle of a statement, and so releases their locks: the
 * lock of the drain would block all workers. PostgreSQL has timeouts for idle sessions and running statements, but none for
 * this: a session that waits for the next message of the extended query protocol (between Parse and Bind) is neither.
 */
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'

/** The same as the timeout for idle transactions. */
const STUCK_SECONDS = 30

/** Terminates the sessions that are stuck now. */
export async function terminateStuckSessions(): Promise<void> {
  // Only sessions of Signalbox, by application name: pg_restore under the same account may look the same.
  const ended = await sql<{ pid: number }[]>`
    with stuck as materialized (
      select pid
      from pg_stat_activity
      where datname = current_database()
        and usename = current_user
        and application_name like 'signalbox %'
        and state = 'active'
        and wait_event = 'ClientRead'
        and query_start < now() - ${STUCK_SECONDS} * interval '1 second'
    )
    select pid, pg_terminate_backend(pid) from stuck
  `
  if (ended.length > 0)
    log.warn(
      { pids: ended.map(({ pid }) => pid) },
      'terminated database sessions whose client stopped in the middle of a statement',
    )
}
