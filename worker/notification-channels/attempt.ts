/** Sends a message once, and reports the attempt in log, metrics and traces. */

import type { Lane } from '../../core/delivery/lanes.ts'
import { databaseMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { channelAttempts } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, type Span, traceIds, traceparentOf } from '../../core/platform/traces.ts'
import type { AttemptResult } from '../delivery/destination.ts'
import type { DueMessage, OpenChannel } from './due-message.ts'
import { type MessageOutcome, outcomeOf, type SendResult } from './outcome.ts'
import { send } from './send.ts'

/** One attempt of a message, with its outcome. */
export interface MessageAttempt extends AttemptResult<DueMessage> {
  channel: OpenChannel
  started_at: string
  result: SendResult
  outcome: MessageOutcome
  span: Span | null
}

/** Sends a message once and classifies the response. */
export async function attempt(lane: Lane, channel: OpenChannel, message: DueMessage): Promise<MessageAttempt> {
  const started_at = new Date(databaseMs(channel.clock)).toISOString()
  const span = beginAttempt(channel, message)
  const result = await send(channel, message, traceparentOf(span))
  const outcome = outcomeOf(result.classification, message.attempt_count + 1, message.max_attempts)
  const { target_since } = channel
  const succeeded = outcome.status === 'succeeded'
  return { lane, item: message, channel, target_since, started_at, result, outcome, span, succeeded }
}

/** Starts the span of an attempt; null if its message belongs to no trace. */
const beginAttempt = (channel: OpenChannel, message: DueMessage): Span | null =>
  beginSpan(`notify ${channel.channel_type}`, 'client', readTraceparent(message.traceparent), {
    'signalbox.event': message.event,
    'signalbox.message_id': message.id,
    'signalbox.channel_id': channel.id,
    'signalbox.organization_id': channel.organization_id,
    'signalbox.request_id': message.request_id,
  })

/** Reports a recorded attempt. */
export function observe({ span, channel, item: message, result, outcome }: MessageAttempt): void {
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
