/** What attempts say about their destinations, and which of these must be disabled. */
import type { Tx } from '../../sql/index.ts'
import type { AttemptHealth, AttemptResult, Destination, Due, Health } from './destination.ts'

interface HealthUpdate extends AttemptHealth {
  lane_id: string
  organization_id: string
  failures: number
}

/**
 * What attempts, given in the order in which they were made, change in the health of each destination. Those that were healthy and
 * only had successes are left out: a write for each would be wasteful. Sorted by lane id, so that writes cannot deadlock.
 */
export function healthUpdates<Attempt extends AttemptResult<Due>>(
  { healthOf, isHealthy }: Pick<Destination<never, Due, Attempt>, 'healthOf' | 'isHealthy'>,
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
    returning lane_id, last_success_at, failures, first_failure_at, last_failure_at
  `
}

/** For each destination to disable, the attempt that shows it, and the reason. Sorted by lane id, so that writes cannot deadlock. */
export function reasonsToDisable<Attempt extends AttemptResult<Due>>(
  { reasonToDisable }: Pick<Destination<never, Due, Attempt>, 'reasonToDisable'>,
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
