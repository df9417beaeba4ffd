/** Targets of destinations, such as a hook's URL: a response counts only for the target that it came from. */
import type { LaneKind } from '../../core/delivery/lanes.ts'
import type { Tx } from '../../sql/index.ts'
import type { AttemptResult, Due } from './destination.ts'

const TABLES: Record<LaneKind, string> = { hook: 'deployment_hooks', channel: 'notification_channels' }

/**
 * Locks the destinations of failed attempts until the commit, so that none changes before the attempts are recorded. To avoid
 * deadlocks, all code locks destinations before their deliveries.
 *
 * @returns when the current target of each destination was set, by its id
 */
async function lockTargets(tx: Tx, kind: LaneKind, attempts: AttemptResult<Due>[]): Promise<Map<string, string>> {
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
 * Corrects failed attempts whose target was changed meanwhile: no dispatch or message fails for good, and no destination is
 * disabled, because of a response of the former target.
 *
 * @param afterTargetChange returns the attempt as it is to be recorded then
 */
export async function correctForTargetChanges<Attempt extends AttemptResult<Due>>(
  tx: Tx,
  kind: LaneKind,
  attempts: Attempt[],
  afterTargetChange: (attempt: Attempt) => Attempt,
): Promise<Attempt[]> {
  const since = await lockTargets(tx, kind, attempts)
  return attempts.map((attempt) => {
    const current = since.get(attempt.lane.id) ?? attempt.target_since
    return attempt.succeeded || current === attempt.target_since
      ? attempt
      : { ...afterTargetChange(attempt), targetChanged: true }
  })
}
