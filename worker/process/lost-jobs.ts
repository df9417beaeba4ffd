/** Jobs that are locked by workers that no longer run. */
import type { Queryable } from '../../sql/index.ts'

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
