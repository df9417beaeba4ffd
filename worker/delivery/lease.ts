/** The lease of a lane: one worker at a time serves it. */

import { setLaneAlarm } from '../../core/jobs/lanes.ts'
import { LANE_TASK, type Lane } from '../../core/lanes.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Tx } from '../../sql/index.ts'
import { workerId } from '../process/heartbeat.ts'
import type { Fault } from './faults.ts'

/**
 * Retries until the database answers. A lane that this process gave up without a word would be its own for as long as it
 * lives, and nobody else would serve it.
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
 * Leases a lane. One that is this process's already was leased by a statement whose answer was lost.
 *
 * @returns null where another process serves it: that one will look again; or where it is deleted
 */
export async function lease(lane_id: string): Promise<(Lane & { revision: number }) | null> {
  const [lane] = await sql<(Lane & { revision: number })[]>`
    update lanes
    set owner_id = ${workerId}
    where id = ${lane_id}
      and (owner_id is null or owner_id = ${workerId})
    returning id, organization_id, kind, version, revision
  `
  return lane ?? null
}

/**
 * Releases a lane, and sets the alarm for what is left in the same transaction.
 *
 * @param nextDueAt when there is something to do next
 * @param fault why the lane could not be served; null where it could
 * @param isFinal release it also where new work came meanwhile, which the alarm is for then
 * @param pause_seconds no alarm before
 * @returns null when released; the lane as it is now where new work came since it was last seen
 */
export function release(
  lane: Lane,
  nextDueAt: (tx: Tx, lane: Lane) => Promise<string | null>,
  fault: Fault | null,
  isFinal: boolean,
  pause_seconds: number,
): Promise<Lane | null> {
  const { id, organization_id, kind, version } = lane
  return transaction(async (tx) => {
    const [released] = await tx<{ is_changed: boolean }[]>`
      update lanes
      set owner_id = null, fault = ${fault}
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
    if (next) await setLaneAlarm(tx, LANE_TASK[kind], lane, next, pause_seconds)
    return null
  })
}
