/** Records a batch of attempts and what follows from them, in one transaction. */

import { SYSTEM } from '../../core/actors.ts'
import { laneVersions } from '../../core/delivery/lanes.ts'
import { type AttemptRow, recordAttempts } from '../../core/dispatches/attempts.ts'
import { emitAll, type NewEvent } from '../../core/events/outbox.ts'
import { transaction } from '../../core/platform/database.ts'
import type { Rollout } from '../../core/rollouts.ts'
import type { ProjectScope } from '../../core/scopes.ts'
import { disablePlanCache } from '../../sql/transaction.ts'
import type { RecordedBatch } from '../delivery/destination.ts'
import { recordHealth } from '../delivery/health.ts'
import { correctForTargetChanges } from '../delivery/targets.ts'
import { rolloutsOf } from '../rollouts/rollouts.ts'
import type { DispatchAttempt } from './attempt.ts'
import { disableHook, reasonsToDisable } from './disable.ts'
import { hookHealthUpdates } from './health.ts'
import { outcomeAfterTargetChange } from './outcome.ts'

const afterTargetChange = (attempt: DispatchAttempt): DispatchAttempt => ({
  ...attempt,
  outcome: outcomeAfterTargetChange(attempt.outcome, attempt.item.attempt_count + 1, attempt.item.max_attempts),
})

const toAttemptRow = ({ lane, item, started_at, result, outcome }: DispatchAttempt): AttemptRow => ({
  id: item.id,
  organization_id: lane.organization_id,
  number: item.attempt_count + 1,
  started_at,
  status: outcome.kind === 'retry' ? 'pending' : outcome.kind,
  after_seconds: outcome.kind === 'retry' ? outcome.after_seconds : null,
  expires_at: item.expires_at,
  address: result.address,
  dns_ms: result.dns_ms,
  first_byte_ms: result.first_byte_ms,
  duration_ms: result.duration_ms,
  response_status: result.status,
  response_headers: result.headers,
  response_body: result.body,
  error: outcome.kind === 'succeeded' ? null : outcome.error,
  // A successful attempt may have an error that concerns its body; the dispatch then has none.
  attempt_error: outcome.kind === 'succeeded' ? result.error : outcome.error,
  lease_until: null,
})

/** A finished dispatch as the data of its event: as `eventColumns` in `core/dispatches/view.ts` shows it, without the response body. */
const dispatchData = ({ item, hook, result, outcome }: DispatchAttempt, completed_at: string, rollout: Rollout | null) => ({
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
    rollout,
    created_at: item.created_at,
    completed_at,
  },
})

const scopeOf = ({ lane, item: { workspace_id, project_id } }: DispatchAttempt): ProjectScope => ({
  organization_id: lane.organization_id,
  workspace_id,
  project_id,
})

/** The event of a finished dispatch; none for a test, or before the next attempt. */
function eventsOf(attempt: DispatchAttempt, completed_at: string, rollout: Rollout | null): NewEvent[] {
  const { item, outcome } = attempt
  if (outcome.kind === 'retry' || item.event === 'test.ping') return []
  const { request_id, traceparent } = item
  return [
    {
      scope: scopeOf(attempt),
      name: `deployment.${outcome.kind}`,
      data: () => dispatchData(attempt, completed_at, rollout),
      references: { hook_id: attempt.hook.id },
      request_id,
      traceparent,
    },
  ]
}

/** Records attempts, updates the health of their hooks, emits events of finished dispatches, and disables failing hooks. */
export function completeDispatches(given: DispatchAttempt[]): Promise<RecordedBatch<DispatchAttempt>> {
  return transaction(async (tx) => {
    const attempts = await correctForTargetChanges(tx, 'hook', given, afterTargetChange)
    await disablePlanCache(tx)
    const recorded = await recordAttempts(tx, attempts.map(toAttemptRow))
    const newlyRecorded = attempts.filter(({ item }) => recorded.has(item.id))
    const rollouts = await rolloutsOf(tx, newlyRecorded)
    const [versions, healths] = await Promise.all([
      laneVersions(
        tx,
        newlyRecorded.map(({ lane }) => lane),
      ),
      recordHealth(tx, hookHealthUpdates(newlyRecorded)),
      emitAll(
        tx,
        SYSTEM,
        newlyRecorded.flatMap((attempt) =>
          eventsOf(attempt, recorded.get(attempt.item.id) ?? '', rollouts.get(attempt.item.id) ?? null),
        ),
      ),
    ])
    // One by one: a hook is disabled once in days, and rarely with another one.
    for (const [attempt, reason] of reasonsToDisable(newlyRecorded, healths)) {
      await disableHook(tx, { ...scopeOf(attempt), id: attempt.hook.id, target_since: attempt.target_since, reason })
    }
    return { attempts, versions }
  })
}
