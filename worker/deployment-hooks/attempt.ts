/** Sends a dispatch once, and reports the attempt in log, metrics and traces. */

import type { Lane } from '../../core/delivery/lanes.ts'
import { mayBeSentTo } from '../../core/dispatches/bodies.ts'
import { OTHER_ORIGIN } from '../../core/dispatches/errors.ts'
import { requestHeaders, type SignedDispatch, type SigningHook } from '../../core/dispatches/request-headers.ts'
import { type DatabaseClock, databaseMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { dispatchAttempts } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, type Span, traceIds, traceparentOf } from '../../core/platform/traces.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import { reportToken } from '../../core/security/report-token.ts'
import type { AttemptResult } from '../delivery/destination.ts'
import { NO_RESULT, type OutboundResult, post } from '../outbound/outbound.ts'
import { toStoredResponse } from '../outbound/response.ts'
import { classifyResponse, type DispatchOutcome, withheld } from './outcome.ts'

/** A hook with its secrets decrypted; it must not leave this process. */
export interface DecryptedHook extends SigningHook {
  id: string
  organization_id: string
  url: string
  target_since: string
  clock: DatabaseClock
  /** All of them, as responses may contain them. */
  secrets: string[]
  /** Removes all secrets from responses. */
  mask: Mask
  /** Whether it succeeded recently and has not failed since. Another success then need not be recorded. */
  isHealthy: boolean
}

export interface DueDispatch extends SignedDispatch {
  workspace_id: string
  project_id: string
  /** When it was read, on the monotonic clock. */
  readAt: number
  expires_at: string | null
  /** Removes also the secrets of its body from responses; null if those of the hook are all. */
  mask: Mask | null
  /** The only origin that its body may be sent to; null if it contains no template secrets. */
  origin: string | null
  max_attempts: number
  request_id: string | null
  traceparent: string | null
}

export interface DispatchAttempt extends AttemptResult<DueDispatch> {
  hook: DecryptedHook
  started_at: string
  /** Masked and cut, as it is stored. */
  result: OutboundResult
  outcome: DispatchOutcome
  span: Span | null
}

/** Masks the secrets of the hook, those of the body and, if the dispatch has one, its report token. */
function maskFor(hook: DecryptedHook, { id, report_within_seconds, mask: bodyMask }: DueDispatch): Mask {
  const mask = bodyMask ?? hook.mask
  if (report_within_seconds === null) return mask
  const maskToken = maskOf([reportToken(id)])
  return (text, isPartial) => maskToken(mask(text, isPartial), isPartial)
}

/** Sends a dispatch once and classifies the response. A body with secrets of another receiver is not sent. */
export async function attempt(lane: Lane, hook: DecryptedHook, dispatch: DueDispatch): Promise<DispatchAttempt> {
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

export function observe({ span, hook, item: dispatch, result: { status, duration_ms }, outcome }: DispatchAttempt): void {
  const error = outcome.kind === 'succeeded' ? null : outcome.error.code
  dispatchAttempts.observe([outcome.kind, status === null ? 'none' : `${Math.floor(status / 100)}xx`, error], duration_ms / 1000)
  const about = { dispatch: dispatch.id, hook: hook.id, organization: hook.organization_id, event: dispatch.event }
  const made = { attempt: dispatch.attempt_count + 1, status, ms: duration_ms, outcome: outcome.kind, error: error ?? undefined }
  log.info({ request_id: dispatch.request_id, ...traceIds(span), ...about, ...made }, 'dispatch')
  span?.end({ attributes: { 'http.response.status_code': status, 'signalbox.outcome': outcome.kind }, error })
}
