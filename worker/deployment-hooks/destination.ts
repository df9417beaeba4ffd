/** Deployment hooks as destinations: how their dispatches are read, sent and recorded. */

import { type AttemptRow, emitFinished, recordAttempts } from '../../core/dispatches/attempts.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Destination } from '../delivery/destination.ts'
import { attempt, type DecryptedHook, type DispatchAttempt, type DueDispatch, observe } from './attempt.ts'
import { counts, disable, reasonToDisable } from './disable.ts'
import { fetchDue, nextDue } from './fetch-due.ts'
import { outcomeAfterTargetChange } from './outcome.ts'

export const hook: Destination<DecryptedHook, DueDispatch, DispatchAttempt> = {
  kind: 'hook',
  fetchDue,
  attempt,
  observe,
  afterTargetChange: (attempt) => ({
    ...attempt,
    outcome: outcomeAfterTargetChange(attempt.outcome, attempt.item.attempt_count + 1, attempt.item.max_attempts),
  }),
  record: (tx, attempts) => recordAttempts(tx, attempts.map(toAttemptRow)),
  follow: (tx, attempts) =>
    emitFinished(
      tx,
      attempts.flatMap(({ lane: { organization_id }, item: { id, event }, outcome: { kind } }) =>
        kind === 'retry' ? [] : { id, organization_id, event, status: kind },
      ),
    ),
  scopeOf,
  healthOf(attempt) {
    if (!counts(attempt)) return null
    const { succeeded, result } = attempt
    const timed_out = result.status === null && result.error?.code === 'timeout'
    return { has_succeeded: succeeded, timed_out, hold_seconds: null }
  },
  isHealthy: ({ hook }) => hook.isHealthy,
  reasonToDisable,
  disable: (tx, attempt, reason) => disable(tx, scopeOf(attempt), attempt, reason),
  nextDue,
}

function scopeOf({ lane, item: { workspace_id, project_id } }: DispatchAttempt): ProjectScope {
  return { organization_id: lane.organization_id, workspace_id, project_id }
}

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
