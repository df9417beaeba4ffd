/** What attempts say about a destination: only those to its current target count, and its health decides whether it is disabled. */
import type { LaneKind } from '../../core/delivery/lanes.ts'
import type { Tx } from '../../sql/index.ts'
import type { AttemptResult, Due } from './destination.ts'

const TABLES: Record<LaneKind, string> = { hook: 'deployment_hooks', channel: 'notification_channels' }

/**
 * Locks the destinations of failed attempts until the commit, so that none changes before the attempts are recorded. To avoid
 * deadlocks, all code locks destinations before their deliveries.
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

export interface HealthUpdate {
  lane_id: string
  organization_id: string
  /** Whether an attempt succeeded, even if only for one of the recipients of a mail. */
  has_succeeded: boolean
  failures: number
  timed_out: boolean
  /** For how long the destination asked us to wait; null if it did not. */
  hold_seconds: number | null
}

interface AttemptHealth {
  lane: { id: string; organization_id: string }
  has_succeeded: boolean
  timed_out: boolean
  hold_seconds: number | null
}

/** Aggregates attempts, given in the order in which they were made, by lane. Sorted by lane id, so that writes cannot deadlock. */
export function healthUpdates(attempts: AttemptHealth[]): HealthUpdate[] {
  const byLane = new Map<string, HealthUpdate>()
  for (const { lane, has_succeeded, timed_out, hold_seconds } of attempts) {
    const before = byLane.get(lane.id)
    byLane.set(lane.id, {
      lane_id: lane.id,
      organization_id: lane.organization_id,
      has_succeeded: has_succeeded || (before?.has_succeeded ?? false),
      failures: has_succeeded ? 0 : (before?.failures ?? 0) + 1,
      timed_out: !has_succeeded && (timed_out || (before?.timed_out ?? false)),
      hold_seconds: hold_seconds ?? before?.hold_seconds ?? null,
    })
  }
  return [...byLane.values()].sort((a, b) => (a.lane_id < b.lane_id ? -1 : 1))
}

export interface Health {
  lane_id: string
  organization_id: string
  last_success_at: string | null
  failures: number
  first_failure_at: string | null
  last_failure_at: string | null
}

export async function recordHealth(tx: Tx, updates: HealthUpdate[]): Promise<Health[]> {
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
    returning lane_id, organization_id, last_success_at, failures, first_failure_at, last_failure_at
  `
}

/** For each destination to disable, the attempt that shows it, and the reason. Sorted by lane id, so that writes cannot deadlock. */
export function reasonsToDisable<Attempt extends AttemptResult<Due>>(
  attempts: Attempt[],
  healths: Health[],
  reasonOf: (attempt: Attempt, health: Health | undefined) => string | null,
): [Attempt, string][] {
  const byLane = new Map(healths.map((health) => [health.lane_id, health]))
  const found = new Map<string, [Attempt, string]>()
  for (const attempt of attempts) {
    const reason = reasonOf(attempt, byLane.get(attempt.lane.id))
    if (reason !== null) found.set(attempt.lane.id, [attempt, reason])
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reason]) => reason)
}
