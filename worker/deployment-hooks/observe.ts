/** Log line, metric and span of an attempt. */
import { log } from '../../core/platform/log.ts'
import { dispatchAttempts } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, type Span, traceIds } from '../../core/platform/traces.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import type { DecryptedHook, DueDispatch } from './due-dispatch.ts'
import type { DispatchOutcome } from './outcome.ts'

/** Starts the span of an attempt; null if its dispatch belongs to no trace. */
export const beginAttempt = (hook: DecryptedHook, dispatch: DueDispatch): Span | null =>
  beginSpan(`dispatch ${dispatch.event}`, 'client', readTraceparent(dispatch.traceparent), {
    'http.request.method': 'POST',
    'http.request.resend_count': dispatch.attempt_count,
    'signalbox.dispatch_id': dispatch.id,
    'signalbox.hook_id': hook.id,
    'signalbox.organization_id': hook.organization_id,
    'signalbox.request_id': dispatch.request_id,
  })

/** Reports a recorded attempt. */
export function observeAttempt(
  span: Span | null,
  hook: DecryptedHook,
  dispatch: DueDispatch,
  { status, duration_ms }: OutboundResult,
  outcome: DispatchOutcome,
): void {
  const error = outcome.kind === 'succeeded' ? null : outcome.error.code
  dispatchAttempts.observe([outcome.kind, status === null ? 'none' : `${Math.floor(status / 100)}xx`, error], duration_ms / 1000)
  log.info(
    {
      request_id: dispatch.request_id,
      ...traceIds(span),
      dispatch: dispatch.id,
      hook: hook.id,
      organization: hook.organization_id,
      event: dispatch.event,
      attempt: dispatch.attempt_count + 1,
      status,
      ms: duration_ms,
      outcome: outcome.kind,
      error: error ?? undefined,
    },
    'dispatch',
  )
  span?.end({ attributes: { 'http.response.status_code': status, 'signalbox.outcome': outcome.kind }, error })
}
