/** The lease of a lane: one worker at a time serves it. */

import { LANE_TASK, type Lane } from '../../core/delivery/lanes.ts'
import { scheduleWake } from '../../core/jobs/lanes.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Tx } from '../../sql/index.ts'
import { workerId } from '../process/heartbeat.ts'
import type { LaneErrorCode } from './lane-errors.ts'

/**
 * Retries until the work succeeds. If this process gave up a lane without releasing it, no worker would serve the lane until
 * the process ends.
 *
 * @param what names the work in the log, such as "releasing a lane"
 */
export async function retryUntilDone<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      log.warn({ error, tries }, `${what} failed; retrying`)
      await Bun.sleep(Math.min(100 * 2 ** tries, 2_000))
    }
  }
}

/**
 * Leases a lane. Succeeds also if this process owns it already: the result of an earlier lease may have been lost.
 *
 * @returns null if another worker serves it, which will find the new work, or if it is deleted
 */
export async function lease({
  id,
  organization_id,
}: Pick<Lane, 'id' | 'organization_id'>): Promise<(Lane & { revision: number }) | null> {
  const [lane] = await sql<(Lane & { revision: number })[]>`
    update lanes
    set owner_id = ${workerId}
    where id = ${id}
      and organization_id = ${organization_id}
      and (owner_id is null or owner_id = ${workerId})
    returning id, organization_id, kind, version, revision
  `
  return lane ?? null
}

/**
 * Releases a lane and, in the same transaction, schedules the wake for its next attempt.
 *
 * @param nextDueAt reads when the lane has something to send next
 * @param error_code why the lane could not be served; null if it could
 * @param isFinal whether to release it even if there is new work; the scheduled wake is then for that
 * @param not_before_seconds the earliest time of the wake, counted from now
 * @returns null if it was released; the current lane if there is new work to do first
 */
export function release(
  lane: Lane,
  nextDueAt: (tx: Tx, lane: Lane) => Promise<string | null>,
  error_code: LaneErrorCode | null,
  isFinal: boolean,
  not_before_seconds: number,
): Promise<Lane | null> {
  const { id, organization_id, kind, version } = lane
  return transaction(async (tx) => {
    const [released] = await tx<{ is_changed: boolean }[]>`
      update lanes
      set owner_id = null, error_code = ${error_code}
      where id = ${id}
        and organization_id = ${organization_id}
        and owner_id = ${workerId}
        and (version = ${version} or ${isFinal})
      returning version <> ${version} as is_changed
    `
    if (!released) {
      const [current] = await tx<Lane[]>`
        select id, organization_id, kind, version
        from lanes
        where id = ${id}
          and organization_id = ${organization_id}
          and owner_id = ${workerId}
      `
      return current ?? null
    }
    const next = released.is_changed ? 'now' : await nextDueAt(tx, lane)
    if (next) await scheduleWake(tx, LANE_TASK[kind], lane, next, not_before_seconds)
    return null
  })
}
