/** The release of lanes, and their later wakes. */

import { LANE_TASK, type Lane, type LaneTask, lockLanes } from '../../core/delivery/lanes.ts'
import { flagsOf } from '../../core/jobs/tasks.ts'
import { transaction } from '../../core/platform/database.ts'
import type { Tx } from '../../sql/index.ts'
import { workerId } from '../process/heartbeat.ts'
import type { NextDue } from './destination.ts'

/** Delay before a lane is served again after an error, such as a secret that no key decrypts. */
export const RETRY_SECONDS = 5

export interface Release {
  lane: Lane
  organization_id: string
  /** Why the lane could not be served; null if it could. */
  error_code: string | null
  /** Whether to release it even if there is new work; the scheduled wake is then for that. */
  isFinal: boolean
}

/**
 * Releases lanes of one kind and, in the same transaction, schedules the wakes for their next attempts.
 * @returns for each, null if it was released; the current lane if there is new work to do first
 */
export function releaseAll(
  releases: Release[],
  nextDue: (tx: Tx, lane_ids: string[], organization_ids: string[]) => Promise<NextDue[]>,
): Promise<(Lane | null)[]> {
  const ids = releases.map(({ lane }) => lane.id)
  const organization_ids = [...new Set(releases.map(({ organization_id }) => organization_id))]
  return transaction(async (tx) => {
    const locked = new Map((await lockLanes(tx, organization_ids, ids)).map((lane) => [lane.id, lane]))
    const owned = releases.filter(({ lane }) => locked.get(lane.id)?.owner_id === workerId)
    const isChanged = ({ lane }: Release): boolean => locked.get(lane.id)?.version !== lane.version
    const released = owned.filter((each) => each.isFinal || !isChanged(each))
    const errors = released.map(({ error_code }) => error_code)
    const [next] = await Promise.all([
      nextDue(tx, idsOf(released.filter((each) => !isChanged(each))), organization_ids),
      tx`
        update lanes
        set owner_id = null, error_code = released.error_code
        from unnest(${idsOf(released)}::uuid[], ${errors}::text[]) as released (id, error_code)
        where lanes.id = released.id
          and lanes.organization_id = any(${organization_ids}::uuid[])
      `,
    ])
    const dueAt = new Map(next.map(({ id, at }) => [id, at]))
    const wakes = released.flatMap((each) => {
      const { lane, error_code } = each
      const at = isChanged(each) ? 'now' : dueAt.get(lane.id)
      return at ? { ...lane, task: LANE_TASK[lane.kind], at, not_before_seconds: error_code === null ? 0 : RETRY_SECONDS } : []
    })
    await scheduleWakes(tx, wakes)
    return releases.map((each) => {
      const current = locked.get(each.lane.id)
      return current?.owner_id === workerId && !released.includes(each) ? { ...each.lane, version: current.version } : null
    })
  })
}

const idsOf = (releases: Release[]): string[] => releases.map(({ lane }) => lane.id)

/** Prefix of the flag that names the organization of a lane job. A worker that serves as many lanes as it can skips jobs by this flag. */
export const LANE_FLAG = 'lane:'

interface ScheduledWake {
  id: string
  organization_id: string
  task: LaneTask
  at: string
  /** The earliest time of the wake, counted from now. */
  not_before_seconds: number
}

/**
 * Schedules wakes: jobs that wake lanes later. If a lane already has such a job, the earlier of the two counts: the
 * drain leases lanes whose wake is still scheduled. The caller has locked the lanes, so no other transaction can wake them between
 * the read and the write.
 */
async function scheduleWakes(tx: Tx, wakes: ScheduledWake[]): Promise<void> {
  if (wakes.length === 0) return
  const jobs = wakes.map(({ id, organization_id, task, at, not_before_seconds }) => ({
    task,
    payload: { organization_id, lane_id: id },
    key: `${task}:${id}`,
    at,
    not_before_seconds,
    flags: [...flagsOf(task, organization_id), LANE_FLAG + organization_id],
  }))
  await tx`
    select from graphile_worker.add_jobs(array(
      select (
        wake.task, wake.payload, null,
        least(
          greatest(wake.at, now() + wake.not_before_seconds * interval '1 second'),
          (select run_at from queue.waiting_jobs as waiting where waiting.key = wake.key)
        ),
        null, wake.key, null, wake.flags
      )::graphile_worker.job_spec
      from jsonb_to_recordset(${tx.json(jobs)}) as wake (
        task text, payload json, key text, at timestamptz, not_before_seconds integer, flags text[]
      )
      -- Always in this order, so that two transactions that wake the same lanes do not deadlock.
      order by wake.key
    ))
  `
}
