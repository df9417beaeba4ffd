/** Jobs that are locked by workers that no longer run, or by this one without its noticing: the connection broke while it fetched a job. */
import type { WorkerEvents } from 'graphile-worker'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Queryable } from '../../sql/index.ts'

let mayHoldUnknownJobs = false

/** Notes failed fetches: the job may be locked although its data did not arrive. */
export function watchFailedFetches(events: WorkerEvents): void {
  events.on('worker:getJob:error', () => {
    mayHoldUnknownJobs = true
  })
}

/**
 * Unlocks all jobs of this process once the database is available again. A job that is running may then run a second time,
 * which every job allows. Otherwise a job that was locked without notice would wait for four hours.
 */
export async function unlockAfterOutage(pool_id: string): Promise<void> {
  if (!mayHoldUnknownJobs) return
  mayHoldUnknownJobs = false
  try {
    await unlockJobsOf(sql, [pool_id])
  } catch (error) {
    mayHoldUnknownJobs = true
    throw error
  }
  log.info('database available again; unlocked the jobs of this worker')
}

/** Unlocks the jobs of dead workers. Without this graphile-worker would run them again only after four hours. */
export const unlockJobsOf = (db: Queryable, pool_ids: string[]) => db`select from queue.unlock_pools(${pool_ids}::text[])`

/**
 * Unlocks jobs whose worker is not registered: it took a job after it was declared dead.
 *
 * @returns the worker pools that had locked them
 */
export async function unlockOrphanedJobs(db: Queryable): Promise<string[]> {
  // A worker that has just started may take jobs a moment before it registers its pool.
  const [{ pools }] = await db<[{ pools: string[] }]>`
    select array(
      select distinct locked_by
      from queue.jobs
      where locked_at < now() - interval '30 seconds'
        and not exists (select 1 from workers where pool_id = locked_by)
    ) as pools
  `
  if (pools.length > 0) await unlockJobsOf(db, pools)
  return pools
}

/** Records the job runs that dead workers could not finish. Must run before their rows of `workers` are deleted. */
export const recordLostRuns = (db: Queryable, worker_ids: string[]) => db`select from ops.record_lost_runs(${worker_ids}::uuid[])`
