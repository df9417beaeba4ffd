/** Records a batch of attempts and what follows from them, in one transaction: the same for hooks and channels. */
import { type Lane, type LaneVersion, laneVersions } from '../../core/delivery/lanes.ts'
import { transaction } from '../../core/platform/database.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import type { Tx } from '../../sql/index.ts'
import { joinByKeys } from '../../sql/transaction.ts'
import type { AttemptHealth, AttemptResult, Destination, Due, Health } from './destination.ts'

interface Completed<Attempt> {
  /** As recorded, in the given order. */
  attempts: Attempt[]
  /** The current version of each lane, by id; absent if none of its attempts had to be recorded. */
  versions: Map<string, LaneVersion>
}

/** What the recording of attempts needs of their destination. */
export type Completing<Attempt extends AttemptResult<Due>> = Omit<
  Destination<never, Due, Attempt>,
  'fetchDue' | 'attempt' | 'observe' | 'nextDue'
>

/** An attempt that is already recorded, or whose item is finished or deleted, changes nothing. */
export function completeAttempts<Attempt extends AttemptResult<Due>>(
  destination: Completing<Attempt>,
  given: Attempt[],
): Promise<Completed<Attempt>> {
  return transaction(async (tx) => {
    const attempts = await correctForTargetChanges(tx, destination, given)
    await joinByKeys(tx)
    const recorded = await destination.record(tx, attempts)
    const newlyRecorded = attempts.filter(({ item }) => recorded.has(item.id))
    announceChange(tx, ...newlyRecorded.map((attempt) => scopePath(destination.scopeOf(attempt))))
    const [versions, healths] = await Promise.all([
      laneVersions(
        tx,
        newlyRecorded.map(({ lane }) => lane),
      ),
      recordHealth(tx, healthUpdates(destination, newlyRecorded)),
      destination.follow?.(tx, newlyRecorded),
    ])
    // One by one: a destination is disabled once in days, and rarely with another one.
    for (const [attempt, reason] of reasonsToDisable(destination, newlyRecorded, healths)) {
      await destination.disable(tx, attempt, reason)
    }
    return { attempts, versions }
  })
}

const TABLES = { hook: 'deployment_hooks', channel: 'notification_channels' }

/**
 * Locks the destinations of failed attempts until the commit, so that none changes before the attempts are recorded. To avoid
 * deadlocks, all code locks destinations before their deliveries.
 *
 * @returns when the target of each was set
 */
async function lockTargets(tx: Tx, kind: Lane['kind'], attempts: AttemptResult<Due>[]): Promise<Map<string, string>> {
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
 */
async function correctForTargetChanges<Attempt extends AttemptResult<Due>>(
  tx: Tx,
  { kind, afterTargetChange }: Completing<Attempt>,
  attempts: Attempt[],
): Promise<Attempt[]> {
  const since = await lockTargets(tx, kind, attempts)
  return attempts.map((attempt) => {
    const current = since.get(attempt.lane.id) ?? attempt.target_since
    return attempt.succeeded || current === attempt.target_since
      ? attempt
      : { ...afterTargetChange(attempt), targetChanged: true }
  })
}

interface HealthUpdate extends AttemptHealth {
  lane_id: string
  organization_id: string
  failures: number
}

/**
 * What attempts, given in the order in which they were made, change in the health of each destination. Those that were healthy and
 * only had successes are left out: a write for each would be wasteful. Sorted by lane id, so that writes cannot deadlock.
 */
function healthUpdates<Attempt extends AttemptResult<Due>>(
  { healthOf, isHealthy }: Completing<Attempt>,
  attempts: Attempt[],
): HealthUpdate[] {
  const updates = new Map<string, HealthUpdate>()
  const changed = new Set<string>()
  for (const attempt of attempts) {
    const health = healthOf(attempt)
    if (!health) continue
    const { id, organization_id } = attempt.lane
    const before = updates.get(id)
    const { has_succeeded, timed_out, hold_seconds } = health
    updates.set(id, {
      lane_id: id,
      organization_id,
      has_succeeded: has_succeeded || (before?.has_succeeded ?? false),
      failures: has_succeeded ? 0 : (before?.failures ?? 0) + 1,
      timed_out: !has_succeeded && (timed_out || (before?.timed_out ?? false)),
      hold_seconds: hold_seconds ?? before?.hold_seconds ?? null,
    })
    if (!attempt.succeeded || !isHealthy(attempt)) changed.add(id)
  }
  return [...updates.values()].filter(({ lane_id }) => changed.has(lane_id)).sort((a, b) => (a.lane_id < b.lane_id ? -1 : 1))
}

async function recordHealth(tx: Tx, updates: HealthUpdate[]): Promise<Health[]> {
  if (updates.length === 0) return []
  return await tx<Health[]>`
    insert into lane_health as health (
      lane_id, organization_id, last_success_at, failures, first_failure_at, last_failure_at, timed_out, held_until
    )
    select
      lane.id, lane.organization_id, case when health_update.has_succeeded then now() end, health_update.failures,
      case when health_update.failures > 0 then now() end,
      case when health_update.failures > 0 then now() end,
      health_update.timed_out,
      now() + health_update.hold_seconds * interval '1 second'
    from json_to_recordset(${JSON.stringify(updates)}::text::json) as health_update (
      lane_id uuid, organization_id uuid, has_succeeded boolean, failures integer, timed_out boolean,
      hold_seconds double precision
    )
    join lanes as lane on lane.id = health_update.lane_id and lane.organization_id = health_update.organization_id
    order by lane.id
    on conflict (lane_id, organization_id) do update
    set last_success_at  = coalesce(excluded.last_success_at, health.last_success_at),
        failures         = excluded.failures + case when excluded.last_success_at is null then health.failures else 0 end,
        first_failure_at = case
          when excluded.last_success_at is null then coalesce(health.first_failure_at, excluded.first_failure_at)
          else excluded.first_failure_at
        end,
        last_failure_at  = coalesce(excluded.last_failure_at, health.last_failure_at),
        timed_out        = excluded.timed_out or health.timed_out and excluded.last_success_at is null,
        held_until       = coalesce(excluded.held_until, health.held_until)
    returning lane_id, last_success_at, failures, first_failure_at, last_failure_at
  `
}

/** For each destination to disable, the attempt that shows it, and the reason. Sorted by lane id, so that writes cannot deadlock. */
function reasonsToDisable<Attempt extends AttemptResult<Due>>(
  { reasonToDisable }: Completing<Attempt>,
  attempts: Attempt[],
  healths: Health[],
): [Attempt, string][] {
  const byLane = new Map(healths.map((health) => [health.lane_id, health]))
  const found = new Map<string, [Attempt, string]>()
  for (const attempt of attempts) {
    const reason = reasonToDisable(attempt, byLane.get(attempt.lane.id) ?? null)
    if (reason !== null) found.set(attempt.lane.id, [attempt, reason])
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reason]) => reason)
}
