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

/** A lane to wake later. */
interface ScheduledWake {
  id: string
  organization_id: string
  task: LaneTask
  /** The moment at which something is due. */
  at: string
  /** The earliest time of the wake, counted from now. */
  not_before_seconds: number
}

/**
 * Schedules wakes: jobs that wake lanes later. If a lane already has such a job, the earlier of the two counts: the
 * drain leases lanes whose wake is still scheduled. The caller has locked the lanes, so no other transaction can wake them between
 * the read and the write.
 */
export async function scheduleWakes(db: Queryable, wakes: ScheduledWake[]): Promise<void> {
  if (wakes.length === 0) return
  const jobs = wakes.map(({ id, organization_id, task, at, not_before_seconds }) => ({
    task,
    payload: { organization_id, lane_id: id },
    key: `${task}:${id}`,
    at,
    not_before_seconds,
    flags: [...flagsOf(task, organization_id), LANE_FLAG + organization_id],
  }))
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        wake.task, wake.payload, null,
        least(
          greatest(wake.at, now() + wake.not_before_seconds * interval '1 second'),
          (select run_at from queue.waiting_jobs as waiting where waiting.key = wake.key)
        ),
        null, wake.key, null, wake.flags
      )::graphile_worker.job_spec
      from jsonb_to_recordset(${db.json(jobs)}) as wake (
        task text, payload json, key text, at timestamptz, not_before_seconds integer, flags text[]
      )
      -- Always in this order, so that two transactions that wake the same lanes do not deadlock.
      order by wake.key
    ))
  `
}
