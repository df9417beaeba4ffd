/** Log line, metric and span of an attempt. */
import { log } from '../../core/platform/log.ts'
import { channelAttempts } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, type Span, traceIds } from '../../core/platform/traces.ts'
import type { DueMessage, OpenChannel } from './due-message.ts'
import type { MessageOutcome, SendResult } from './outcome.ts'

/** Starts the span of an attempt; null if its message belongs to no trace. */
export const beginAttempt = (channel: OpenChannel, message: DueMessage): Span | null =>
  beginSpan(`notify ${channel.channel_type}`, 'client', readTraceparent(message.traceparent), {
    'signalbox.event': message.event,
    'signalbox.message_id': message.id,
    'signalbox.channel_id': channel.id,
    'signalbox.organization_id': channel.organization_id,
    'signalbox.request_id': message.request_id,
  })

/** Reports a recorded attempt. */
export function observeAttempt(
  span: Span | null,
  channel: OpenChannel,
  message: DueMessage,
  result: SendResult,
  outcome: MessageOutcome,
): void {
  const error = 'error' in outcome ? outcome.error.code : null
  const shown = outcome.status === 'pending' ? 'retry' : outcome.status
  channelAttempts.observe([channel.channel_type, shown, error], result.duration_ms / 1000)
  log.info(
    {
      request_id: message.request_id,
      ...traceIds(span),
      message: message.id,
      channel: channel.id,
      organization: channel.organization_id,
      event: message.event,
      attempt: message.attempt_count + 1,
      status: result.response_status,
      ms: result.duration_ms,
      outcome: outcome.status,
      error: error ?? undefined,
    },
    'notification',
  )
  span?.end({ attributes: { 'http.response.status_code': result.response_status, 'signalbox.outcome': shown }, error })
}
