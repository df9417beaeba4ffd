/** Where destinations lead: an answer counts for the target that it came from. */
import type { LaneKind } from '../../core/lanes.ts'
import type { Tx } from '../../sql/index.ts'
import type { Attempted, Due } from './destination.ts'

const TABLES: Record<LaneKind, string> = { hook: 'deployment_hooks', channel: 'notification_channels' }

/**
 * Locks the destinations of failed attempts until the commit, so that none is changed between this and the record. They
 * are locked before what waits for them, as by everybody who changes both.
 *
 * @returns since when each of them has led where it leads now, by its id
 */
async function lockTargets(tx: Tx, kind: LaneKind, attempts: Attempted<Due>[]): Promise<Map<string, string>> {
  const failed = attempts.filter(({ succeeded }) => !succeeded).map(({ lane }) => lane)
  if (failed.length === 0) return new Map()
  const targets = await tx<{ id: string; target_since: string }[]>`
    select id, target_since
    from ${tx(TABLES[kind])}
    where id = any(${[...new Set(failed.map(({ id }) => id))]}::uuid[])
      and organization_id = any(${[...new Set(failed.map(({ organization_id }) => organization_id))]}::uuid[])
    order by id
    for no key update
  `
  return new Map(targets.map(({ id, target_since }) => [id, target_since]))
}

/**
 * Corrects failed attempts whose destination was led elsewhere meanwhile: nothing is given up for the answer of a former
 * target.
 *
 * @param afterMove the attempt as it counts then
 */
export async function correctForMoves<Attempt extends Attempted<Due>>(
  tx: Tx,
  kind: LaneKind,
  attempts: Attempt[],
  afterMove: (attempt: Attempt) => Attempt,
): Promise<Attempt[]> {
  const since = await lockTargets(tx, kind, attempts)
  return attempts.map((attempt) => {
    const current = since.get(attempt.lane.id) ?? attempt.target_since
    return attempt.succeeded || current === attempt.target_since ? attempt : { ...afterMove(attempt), isStale: true }
  })
}
