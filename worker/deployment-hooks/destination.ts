/** Deployment hooks as destinations: how their dispatches are read, sent and recorded, and when they are disabled. */

import { resetHealth } from '../../core/delivery/lanes.ts'
import { type HookRow, hookColumns, shownHook } from '../../core/deployment-hooks/view.ts'
import { type AttemptRow, emitFinished, recordAttempts } from '../../core/dispatches/attempts.ts'
import { emit } from '../../core/events/outbox.ts'
import type { EventHook } from '../../core/events/subjects.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { record } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import type { Destination, Health } from '../delivery/destination.ts'
import { attempt, type DecryptedHook, type DispatchAttempt, type DueDispatch, observe } from './attempt.ts'
import { fetchDue, nextDue } from './fetch-due.ts'
import { SUCCESS_INTERVAL_SECONDS } from './hook.ts'
import { isWithheld, outcomeAfterTargetChange } from './outcome.ts'

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
  disable,
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

/** Tests, responses of a former url and attempts that sent nothing do not count for the health of a hook. */
const counts = ({ item, targetChanged, outcome }: DispatchAttempt): boolean =>
  item.event !== 'test.ping' && !targetChanged && !isWithheld(outcome)

const GONE = 'The receiver answered 410 Gone.'
const FAILING_TOO_LONG = 'All dispatches have failed for too long.'

function reasonToDisable(attempt: DispatchAttempt, health: Health | null): string | null {
  const { hook, outcome } = attempt
  if (outcome.kind === 'succeeded' || !counts(attempt)) return null
  if (outcome.kind === 'failed' && outcome.gone) return GONE
  return health && hasFailedTooLong(health, hook.target_since) ? FAILING_TOO_LONG : null
}

/** @param target_since when the url of the hook was set: an earlier success was that of the former url */
function hasFailedTooLong({ failures, first_failure_at, last_failure_at, last_success_at }: Health, target_since: string) {
  const [first, last] = [Date.parse(first_failure_at ?? ''), Date.parse(last_failure_at ?? '')]
  const lastSuccess = Math.max(Date.parse(last_success_at ?? target_since), Date.parse(target_since))
  return (
    failures >= 10 &&
    last - first >= (config.HOOK_DISABLE_SECONDS * 1000) / 10 &&
    last - lastSuccess >= (config.HOOK_DISABLE_SECONDS + SUCCESS_INTERVAL_SECONDS) * 1000
  )
}

/**
 * Disables a hook, unless it is disabled already, or its target was changed since it failed. The worker that serves its lane cancels
 * what is waiting. Its health is reset: otherwise the first failure after it is enabled again would disable it at once.
 */
async function disable(tx: Tx, attempt: DispatchAttempt, reason: string): Promise<void> {
  const scope = scopeOf(attempt)
  const {
    hook: { id },
    target_since,
  } = attempt
  const [hook] = await tx<HookRow<EventHook & { body_template: unknown }>[]>`
    update deployment_hooks
    set enabled = false, disabled_reason = ${reason}
    where id = ${id}
      and organization_id = ${scope.organization_id}
      and enabled
      and target_since = ${target_since}
    returning ${hookColumns}
  `
  if (!hook) return
  await resetHealth(tx, scope.organization_id, id)
  await emit(tx, SYSTEM, scope, 'hook.disabled', { hook: shownHook(hook), reason })
  await record(tx, SYSTEM, scope, {
    action: 'hook.disabled',
    resource_type: 'deployment_hook',
    resource_id: id,
    detail: `Signalbox disabled the deployment hook ${hook.name}: ${reason}`,
  })
  await addJob(tx, 'mail_hook_disabled', { organization_id: scope.organization_id, hook_id: id })
}
