/** Sends a message once, and reports the attempt in log, metrics and traces. */
import type { Lane } from '../../core/delivery/lanes.ts'
import { CHANNELS, type ChannelType, isChannelType } from '../../core/notification-channels/types.ts'
import { databaseMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { channelAttempts } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, type Span, traceIds, traceparentOf } from '../../core/platform/traces.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import type { AttemptResult } from '../delivery/destination.ts'
import { type Classification, type MessageOutcome, outcomeOf, permanent, type SendResult, transient } from './outcome.ts'
import type { DueMessage, OpenChannel, Sender } from './sender.ts'
import { SENDERS } from './senders.ts'

/** Removes secrets that the target repeated in its response. */
function redacted(classification: Classification, mask: Mask): Classification {
  if (classification.kind === 'delivered') return classification
  const { code, detail } = classification.error
  return { ...classification, error: { code, detail: mask(detail) } }
}

/** During an upgrade, a newer process may have made a channel of a type that this one does not know. */
const ofNewerVersion: SendResult = {
  classification: transient(
    'unknown_channel_type',
    'This worker does not know the type of the channel. A newer version sends the message.',
  ),
  response_status: null,
  duration_ms: 0,
}

/** Never throws: a message that cannot be rendered must not block those after it. */
async function send<Type extends ChannelType>(
  channel: OpenChannel<Type>,
  message: DueMessage,
  traceparent: string | null,
): Promise<SendResult> {
  if (!isChannelType(channel.channel_type)) return ofNewerVersion
  const mask = maskOf(CHANNELS[channel.channel_type].masks(channel.config))
  const sender: Sender<Type> = SENDERS[channel.channel_type]
  const result = await sender.send(channel, message, { mask, traceparent }).catch((error: unknown): SendResult => {
    log.error({ error, message: message.id, event: message.event }, 'could not render or send a channel message')
    const classification = permanent('internal', 'Signalbox could not render this message because of an internal error.', false)
    return { classification, response_status: null, duration_ms: 0 }
  })
  return { ...result, classification: redacted(result.classification, mask) }
}

export interface MessageAttempt extends AttemptResult<DueMessage> {
  channel: OpenChannel
  started_at: string
  result: SendResult
  outcome: MessageOutcome
  span: Span | null
}

export async function attempt(lane: Lane, channel: OpenChannel, message: DueMessage): Promise<MessageAttempt> {
  const started_at = new Date(databaseMs(channel.clock)).toISOString()
  const span = beginAttempt(channel, message)
  const result = await send(channel, message, traceparentOf(span))
  const outcome = outcomeOf(result.classification, message.attempt_count + 1, message.max_attempts)
  const { target_since } = channel
  const succeeded = outcome.status === 'succeeded'
  return { lane, item: message, channel, target_since, started_at, result, outcome, span, succeeded }
}

const beginAttempt = (channel: OpenChannel, message: DueMessage): Span | null =>
  beginSpan(`notify ${channel.channel_type}`, 'client', readTraceparent(message.traceparent), {
    'signalbox.event': message.event,
    'signalbox.message_id': message.id,
    'signalbox.channel_id': channel.id,
    'signalbox.organization_id': channel.organization_id,
    'signalbox.request_id': message.request_id,
  })

export function observe({ span, channel, item: message, result, outcome }: MessageAttempt): void {
  const error = 'error' in outcome ? outcome.error.code : null
  const shown = outcome.status === 'pending' ? 'retry' : outcome.status
  channelAttempts.observe([channel.channel_type, shown, error], result.duration_ms / 1000)
  const about = { message: message.id, channel: channel.id, organization: channel.organization_id, event: message.event }
  const made = { attempt: message.attempt_count + 1, status: result.response_status, ms: result.duration_ms }
  const became = { outcome: outcome.status, error: error ?? undefined }
  log.info({ request_id: message.request_id, ...traceIds(span), ...about, ...made, ...became }, 'notification')
  span?.end({ attributes: { 'http.response.status_code': result.response_status, 'signalbox.outcome': shown }, error })
}
