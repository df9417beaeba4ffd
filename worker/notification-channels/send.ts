/** Sends a message once, and masks secrets in what the server answered. */
import { CHANNELS, type ChannelType, isChannelType } from '../../core/notification-channels/types.ts'
import { log } from '../../core/platform/log.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import type { DueMessage, OpenChannel } from './due-message.ts'
import { type Classification, permanent, type SendResult, transient } from './outcome.ts'
import type { Sender } from './sender.ts'
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

/**
 * Sends a message to its channel. Never throws: a message that cannot be rendered must not block those after it.
 *
 * @param traceparent trace context of the attempt
 */
export async function send<Type extends ChannelType>(
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
