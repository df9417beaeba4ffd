/** Records a batch of attempts and what follows from them, in one transaction. */

import { laneVersions } from '../../core/delivery/lanes.ts'
import { type AttemptRow, emitFinished, recordAttempts } from '../../core/dispatches/attempts.ts'
import { transaction } from '../../core/platform/database.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { joinByKeys } from '../../sql/transaction.ts'
import type { RecordedBatch } from '../delivery/destination.ts'
import { correctForTargetChanges, reasonsToDisable, recordHealth } from '../delivery/health.ts'
import type { DispatchAttempt } from './attempt.ts'
import { disableHook, hookHealthUpdates, reasonToDisable } from './disable.ts'
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

const scopeOf = ({ lane, item: { workspace_id, project_id } }: DispatchAttempt): ProjectScope => ({
  organization_id: lane.organization_id,
  workspace_id,
  project_id,
})

export function completeDispatches(given: DispatchAttempt[]): Promise<RecordedBatch<DispatchAttempt>> {
  return transaction(async (tx) => {
    const attempts = await correctForTargetChanges(tx, 'hook', given, afterTargetChange)
    await joinByKeys(tx)
    const recorded = await recordAttempts(tx, attempts.map(toAttemptRow))
    const newlyRecorded = attempts.filter(({ item }) => recorded.has(item.id))
    announceChange(tx, ...newlyRecorded.map((attempt) => scopePath(scopeOf(attempt))))
    const lanes = newlyRecorded.map(({ lane }) => lane)
    const finished = newlyRecorded.flatMap(({ lane: { organization_id }, item: { id, event }, outcome: { kind } }) =>
      kind === 'retry' ? [] : { id, organization_id, event, status: kind },
    )
    const [versions, healths] = await Promise.all([
      laneVersions(tx, lanes),
      recordHealth(tx, hookHealthUpdates(newlyRecorded)),
      emitFinished(tx, finished),
    ])
    // One by one: a hook is disabled once in days, and rarely with another one.
    for (const [attempt, reason] of reasonsToDisable(newlyRecorded, healths, reasonToDisable)) {
      await disableHook(tx, { ...scopeOf(attempt), id: attempt.hook.id, target_since: attempt.target_since, reason })
    }
    return { attempts, versions }
  })
}
