/**
 * Ends sessions whose process fell silent in the middle of a statement, with the locks that they hold: the one of the drain
 * would hold up everybody. What else is silent PostgreSQL ends by itself, but it has no time limit for this: between the
 * parts of a statement (Parse and Bind, of the protocol's section "Extended Query") a session is neither idle nor does it run.
 */
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { periodically } from './periodically.ts'

const LOOK_MS = 5_000
/** As long as a transaction may be idle. */
const SILENT_SECONDS = 30

async function endThem(): Promise<void> {
  // By name: somebody who restores a backup under the same account is silent in the same way now and then.
  const ended = await sql<{ pid: number }[]>`
    with silent as materialized (
      select pid
      from pg_stat_activity
      where datname = current_database()
        and usename = current_user
        and application_name like 'signalbox %'
        and state = 'active'
        and wait_event = 'ClientRead'
        and query_start < now() - ${SILENT_SECONDS} * interval '1 second'
    )
    select pid, pg_terminate_backend(pid) from silent
  `
  if (ended.length > 0) log.warn({ pids: ended.map(({ pid }) => pid) }, 'sessions that had fallen silent were ended')
}

/** Looks until the process stops. */
export const endSilentSessions = (): void => periodically(LOOK_MS, 'silent sessions could not be looked for', endThem)
