/**
 * Finds due destinations without a worker or a job, and jobs and lanes of workers that no longer exist. None should
 * exist: lanes are woken in the transaction that adds work, and live workers release dead ones. If there is a bug in that, this
 * sweep limits the delay to a minute.
 */
import { type LaneKind, wakeLanes } from '../../core/delivery/lanes.ts'
import { asAccount, sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { strandedDestinations } from '../../core/platform/metrics.ts'
import { cluster } from '../../sql/cluster.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { releaseWorkers } from './heartbeat.ts'
import { unlockOrphanedJobs } from './lost-jobs.ts'

/** The next sweep finds the rest. */
const BATCH = 1_000

async function wakeDue(): Promise<void> {
  const found = await transaction(async (tx) => {
    const stranded = await acrossTenants(tx<{ kind: LaneKind; id: string; organization_id: string }[]>`
      select kind, id, organization_id from ops.stranded_detail where why = 'not_woken' order by due_at limit ${BATCH}
    `)
    await wakeLanes(tx, stranded)
    return stranded
  })
  for (const { kind } of found) strandedDestinations.count([kind])
  if (found.length > 0)
    log.error({ found: found.slice(0, 100), count: found.length }, 'woke destinations that were due without a job')
}

/** The workers that have leased lanes and are not registered. One PostgreSQL prevents it by a foreign key. */
async function unregisteredOwners(): Promise<string[]> {
  // A worker registers before it leases, so one that is missing from the second list has gone.
  const owners = await acrossTenants(
    sql<{ id: string }[]>`select distinct owner_id as id from lanes where owner_id is not null`,
    'partly',
  )
  const registered = await sql<{ id: string }[]>`select id from workers`
  const known = new Set(registered.map(({ id }) => id))
  return owners.map(({ id }) => id).filter((id) => !known.has(id))
}

/** Wakes what is due without a job, and unlocks what workers that no longer exist have left locked. */
export async function wakeStranded(): Promise<void> {
  const pools = await unlockOrphanedJobs(sql)
  if (pools.length > 0) log.warn({ pools }, 'unlocked jobs of workers that no longer exist')
  if (cluster()) await releaseWorkers(await unregisteredOwners())
  await wakeDue()
}

/** The same as the timeout for idle transactions. */
const STUCK_SECONDS = 30

/**
 * Terminates database sessions of Signalbox whose client stopped in the middle of a statement, and so releases their locks: the
 * lock of the drain would block all workers. PostgreSQL has timeouts for idle sessions and running statements, but none for
 * this: a session that waits for the next message of the extended query protocol (between Parse and Bind) is neither.
 */
export async function terminateStuckSessions(): Promise<void> {
  // Only sessions of Signalbox, by application name: pg_restore under the same account may look the same.
  const ended = await asAccount(
    (tx) => tx<{ pid: number }[]>`
      with stuck as materialized (
        select pid
        from pg_stat_activity
        where datname = current_database()
          and usename = session_user
          and application_name like 'signalbox %'
          and state = 'active'
          and wait_event = 'ClientRead'
          and query_start < now() - ${STUCK_SECONDS} * interval '1 second'
      )
      select pid, pg_terminate_backend(pid) from stuck
    `,
  )
  const pids = ended.map(({ pid }) => pid)
  if (pids.length > 0) log.warn({ pids }, 'terminated database sessions whose client stopped in the middle of a statement')
}
