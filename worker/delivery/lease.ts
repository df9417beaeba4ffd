/** The lease of a lane: one worker at a time serves it. */

import { LANE_TASK, type Lane, lockLanes, scheduleWakes } from '../../core/delivery/lanes.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Tx } from '../../sql/index.ts'
import { workerId } from '../process/heartbeat.ts'
import type { NextDue } from './destination.ts'

/**
 * Retries until the work succeeds. If this process gave up a lane without releasing it, no worker would serve the lane until
 * the process ends.
 */
export async function retryUntilDone<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      warn(what, error, tries)
      await Bun.sleep(Math.min(100 * 2 ** tries, 2_000))
    }
  }
}

/** In an outage, all lanes of a process fail at once and again. */
const WARN_EVERY_MS = 30_000
const warnedAt = new Map<string, number>()

function warn(what: string, error: unknown, tries: number): void {
  const now = monotonicMs()
  if (now - (warnedAt.get(what) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_MS) return
  warnedAt.set(what, now)
  log.warn({ error, tries }, `${what} failed; retrying`)
}

/** Succeeds also if this process owns it already. @returns null if it is deleted, or another worker serves it, which finds the work */
export async function lease({ id, organization_id }: Pick<Lane, 'id' | 'organization_id'>): Promise<Lane | null> {
  const [lane] = await sql<Lane[]>`
    update lanes
    set owner_id = ${workerId}
    where id = ${id}
      and organization_id = ${organization_id}
      and (owner_id is null or owner_id = ${workerId})
    returning id, organization_id, kind, version
  `
  return lane ?? null
}

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
