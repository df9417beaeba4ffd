/** Jobs that wake lanes: a worker leases the lane and serves it. */
import type { Queryable } from '../../sql/index.ts'
import { flagsOf } from './tasks.ts'

export type LaneTask = 'dispatch_hook' | 'deliver_channel'

/** Prefix of the flag that names the organization of a lane job. A worker that serves as many lanes as it can skips jobs by this flag. */
export const LANE_FLAG = 'lane:'

/**
 * Adds a job for each lane, due now; a job that waits for a later moment is moved to now. `sql/ops` defines the order.
 *
 * Only the jobs: the caller has marked the lanes as changed (`markLanesChanged`) and left out those of pull hooks.
 */
export async function wakeLanes(db: Queryable, lanes: { id: string; organization_id: string }[]): Promise<void> {
  if (lanes.length === 0) return
  const organization_ids = [...new Set(lanes.map(({ organization_id }) => organization_id))]
  await db`select ops.wake_lanes(${organization_ids}::uuid[], ${lanes.map(({ id }) => id)}::uuid[])`
}

/**
 * Schedules a wake: a job that wakes a lane later. If the lane already has such a job, the earlier of the two counts: the
 * drain leases lanes whose wake is still scheduled. The caller has locked the lane, so no other transaction can wake it between
 * the read and the write.
 *
 * @param run_at the moment at which something is due
 * @param not_before_seconds the earliest time of the wake, counted from now
 */
export async function scheduleWake(
  db: Queryable,
  task: LaneTask,
  { id, organization_id }: { id: string; organization_id: string },
  run_at: string,
  not_before_seconds: number,
): Promise<void> {
  const key = `${task}:${id}`
  await db`
    select from graphile_worker.add_job(
      ${task}::text,
      ${db.json({ organization_id, lane_id: id })}::json,
      run_at := least(
        greatest(${run_at}::timestamptz, now() + ${not_before_seconds} * interval '1 second'),
        (select run_at from queue.waiting_jobs where key = ${key}::text)
      ),
      job_key := ${key}::text,
      flags := ${[...flagsOf(task, organization_id), LANE_FLAG + organization_id]}::text[]
    )
  `
}
