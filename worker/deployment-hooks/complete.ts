/** Puts attempts of dispatches on record, many at once, with what follows from them: one transaction a batch. */

import { type ProjectPlace, SYSTEM } from '../../core/actors.ts'
import { emitAll, type NewEvent } from '../../core/events/outbox.ts'
import { laneVersions } from '../../core/lanes.ts'
import { transaction } from '../../core/platform/database.ts'
import { disablePlanCache } from '../../sql/transaction.ts'
import type { Completed } from '../delivery/destination.ts'
import { recordHealth } from '../delivery/health.ts'
import { correctForMoves } from '../delivery/targets.ts'
import type { DispatchAttempt } from './attempt.ts'
import { reasonsToDisable, switchOff } from './disable.ts'
import { outcomeAfterMove } from './outcome.ts'
import { recordAttempts } from './record-attempts.ts'
import { newsOf } from './responses.ts'

const afterMove = (attempt: DispatchAttempt): DispatchAttempt => ({
  ...attempt,
  outcome: outcomeAfterMove(attempt.outcome, attempt.item.attempt_count + 1, attempt.item.max_attempts),
})

/** The dispatch of an event, as GET shows it. */
const shownOf = ({ item, hook, result, outcome }: DispatchAttempt, completed_at: string) => ({
  dispatch: {
    id: item.id,
    hook_id: hook.id,
    project_id: item.project_id,
    event: item.event,
    environment: item.environment,
    status: outcome.kind,
    attempt_count: item.attempt_count + 1,
    max_attempts: item.max_attempts,
    next_attempt_at: null,
    response_status: result.status,
    duration_ms: result.duration_ms,
    error: outcome.kind === 'succeeded' ? null : outcome.error,
    sequence: item.sequence,
    redelivery_of: item.redelivery_of,
    superseded_by: null,
    created_at: item.created_at,
    completed_at,
  },
})

const placeOf = ({ lane, item: { workspace_id, project_id } }: DispatchAttempt): ProjectPlace => ({
  organization_id: lane.organization_id,
  workspace_id,
  project_id,
})

/** The event that a finished dispatch raises; none where it was a test, or waits for its next attempt. */
function eventsOf(attempt: DispatchAttempt, completed_at: string): NewEvent[] {
  const { item, outcome } = attempt
  if (outcome.kind === 'retry' || item.event === 'test.ping') return []
  const { request_id, traceparent } = item
  const name = `deployment.${outcome.kind}` as const
  return [{ place: placeOf(attempt), name, data: () => shownOf(attempt, completed_at), request_id, traceparent }]
}

/** Records attempts, how their hooks responded, the events of finished dispatches, and which hooks are switched off. */
export function completeDispatches(given: DispatchAttempt[]): Promise<Completed<DispatchAttempt>> {
  return transaction(async (tx) => {
    const attempts = await correctForMoves(tx, 'hook', given, afterMove)
    await disablePlanCache(tx)
    const recorded = await recordAttempts(tx, attempts)
    const counted = attempts.filter(({ item }) => recorded.has(item.id))
    const [versions, healths] = await Promise.all([
      laneVersions(
        tx,
        counted.map(({ lane }) => lane),
      ),
      recordHealth(tx, newsOf(counted)),
      emitAll(
        tx,
        SYSTEM,
        counted.flatMap((attempt) => eventsOf(attempt, recorded.get(attempt.item.id) ?? '')),
      ),
    ])
    for (const [attempt, reason] of reasonsToDisable(counted, healths)) {
      await switchOff(tx, { ...placeOf(attempt), id: attempt.hook.id, target_since: attempt.target_since, reason })
    }
    return { attempts, versions }
  })
}
