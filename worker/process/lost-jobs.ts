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
      where locked_at < now() - interval '1 minute'
        and not exists (select from workers where pool_id = locked_by)
    ) as pools
  `
  if (pools.length > 0) await unlockJobsOf(db, pools)
  return pools
}

/** Records the job runs that dead workers could not finish. Must run before their rows of `workers` are deleted. */
export async function recordLostRuns(db: Queryable, worker_ids: string[]): Promise<void> {
  await db`
    insert into ops.job_runs (
      organization_id, job_id, task, attempt, outcome, error_class, wait_ms, run_ms, worker_id, started_at, finished_at
    )
    select
      (select substr(flag, 5)::uuid from jsonb_object_keys(job.flags) as flag where flag like 'org:%' limit 1),
      job.id, job.task_identifier, job.attempts,
      case when job.attempts < job.max_attempts then 'retrying' else 'failed' end, 'worker_ended',
      least(extract(epoch from greatest(job.locked_at - job.run_at, '0')) * 1000, 2147483647),
      least(extract(epoch from now() - job.locked_at) * 1000, 2147483647),
      worker.id, job.locked_at, now()
    from workers as worker
    join graphile_worker.jobs as job on job.locked_by = worker.pool_id
    where worker.id = any(${worker_ids}::uuid[])
  `
}
