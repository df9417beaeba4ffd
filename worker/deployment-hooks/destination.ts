/** Deployment hooks as destinations: how their dispatches are read, sent and recorded. */

import type { Lane } from '../../core/delivery/lanes.ts'
import { type AttemptRow, emitFinished, recordAttempts } from '../../core/dispatches/attempts.ts'
import { mayBeSentTo } from '../../core/dispatches/bodies.ts'
import { OTHER_ORIGIN } from '../../core/dispatches/errors.ts'
import { requestHeaders } from '../../core/dispatches/request-headers.ts'
import { databaseMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { dispatchAttempts } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, type Span, traceIds, traceparentOf } from '../../core/platform/traces.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import { reportToken } from '../../core/security/report-token.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Destination } from '../delivery/destination.ts'
import { NO_RESULT, post } from '../outbound/outbound.ts'
import { toStoredResponse } from '../outbound/response.ts'
import { counts, disable, reasonToDisable } from './disable.ts'
import { fetchDue, nextDue } from './fetch-due.ts'
import type { DecryptedHook, DispatchAttempt, DueDispatch } from './hook.ts'
import { classifyResponse, outcomeAfterTargetChange, withheld } from './outcome.ts'

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

/** Masks the secrets of the hook, those of the body and, if the dispatch has one, its report token. */
function maskFor(hook: DecryptedHook, { id, report_within_seconds, mask: bodyMask }: DueDispatch): Mask {
  const mask = bodyMask ?? hook.mask
  if (report_within_seconds === null) return mask
  const maskToken = maskOf([reportToken(id)])
  return (text, isPartial) => maskToken(mask(text, isPartial), isPartial)
}

/** Sends a dispatch once and classifies the response. A body with secrets of another receiver is not sent. */
async function attempt(lane: Lane, hook: DecryptedHook, dispatch: DueDispatch): Promise<DispatchAttempt> {
  const startedMs = databaseMs(hook.clock)
  const started_at = new Date(startedMs).toISOString()
  const number = dispatch.attempt_count + 1
  const span = beginAttempt(hook, dispatch)
  const { target_since } = hook
  if (!mayBeSentTo(dispatch.origin, hook.url)) {
    const outcome = withheld(OTHER_ORIGIN)
    return { lane, item: dispatch, hook, target_since, started_at, result: NO_RESULT, outcome, span, succeeded: false }
  }
  const timestamp = Math.floor(startedMs / 1000)
  const headers = requestHeaders(hook, dispatch, timestamp, traceparentOf(span))
  span?.mark('fetched', dispatch.readAt)
  span?.mark('sent')
  const response = await post(hook.url, headers, dispatch.body, hook.id)
  span?.mark('answered')
  const mask = maskFor(hook, dispatch)
  const outcome = classifyResponse(response, number, dispatch.max_attempts, startedMs + response.duration_ms, mask)
  const result = toStoredResponse(response, mask)
  const succeeded = outcome.kind === 'succeeded'
  return { lane, item: dispatch, hook, target_since, started_at, result, outcome, span, succeeded }
}

const beginAttempt = (hook: DecryptedHook, dispatch: DueDispatch): Span | null =>
  beginSpan(`dispatch ${dispatch.event}`, 'client', readTraceparent(dispatch.traceparent), {
    'http.request.method': 'POST',
    'http.request.resend_count': dispatch.attempt_count,
    'signalbox.dispatch_id': dispatch.id,
    'signalbox.hook_id': hook.id,
    'signalbox.organization_id': hook.organization_id,
    'signalbox.request_id': dispatch.request_id,
  })

/** In log, metrics and traces. */
function observe({ span, hook, item: dispatch, result: { status, duration_ms }, outcome }: DispatchAttempt): void {
  const error = outcome.kind === 'succeeded' ? null : outcome.error.code
  dispatchAttempts.observe([outcome.kind, status === null ? 'none' : `${Math.floor(status / 100)}xx`, error], duration_ms / 1000)
  const about = { dispatch: dispatch.id, hook: hook.id, organization: hook.organization_id, event: dispatch.event }
  const made = { attempt: dispatch.attempt_count + 1, status, ms: duration_ms, outcome: outcome.kind, error: error ?? undefined }
  log.info({ request_id: dispatch.request_id, ...traceIds(span), ...about, ...made }, 'dispatch')
  span?.end({ attributes: { 'http.response.status_code': status, 'signalbox.outcome': outcome.kind }, error })
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
