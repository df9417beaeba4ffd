/** Renders a message for its channel, sends it once and classifies the response. */

import type { DecryptedConfig } from '../../core/notification-channels.ts'
import { databaseMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { type Mask, maskOf, secretsOfHeader, secretsOfMail, secretsOfSigning, secretsOfUrl } from '../../core/security/masking.ts'
import { isBot } from '../../core/slack.ts'
import { messageOf } from '../event-messages/index.ts'
import { envelopeOf } from '../event-messages/people.ts'
import { type OutboundResult, post } from '../outbound/outbound.ts'
import { sendAsBot } from '../slack/send.ts'
import { sendByMail } from './email.ts'
import { classifyFeishu, renderFeishu } from './feishu.ts'
import type { DueMessage, OpenChannel } from './fetch-due.ts'
import { type Classification, permanent, type SendResult } from './outcome.ts'
import { classifySlack, renderSlack } from './slack.ts'
import { classifyTeams, renderTeams } from './teams.ts'
import { classifyWebhook, webhookHeaders } from './webhook.ts'

const JSON_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'Signalbox-Notifications/1' }

type Classify = (result: OutboundResult, now: number) => Classification

/** @param now when the response arrived, in milliseconds */
const toSendResult = (result: OutboundResult, classify: Classify, now: number): SendResult => ({
  classification: classify(result, now),
  response_status: result.status,
  duration_ms: result.duration_ms,
})

async function renderAndSend(
  channel: OpenChannel,
  message: DueMessage,
  traceparent: string | null,
  mask: Mask,
): Promise<SendResult> {
  const { id, channel_type, config, clock } = channel
  const seconds = Math.floor(databaseMs(clock) / 1000)
  const judged = (result: OutboundResult, classify: Classify) => toSendResult(result, classify, databaseMs(clock))
  if (channel_type === 'webhook') {
    const headers = webhookHeaders(config, message, seconds, traceparent)
    const result = await post(config.url ?? '', headers, message.body, id)
    return judged(result, (result, now) => classifyWebhook(result, now, mask))
  }
  if (channel_type === 'slack' && isBot(config)) return sendAsBot(channel, message)
  const text = messageOf(envelopeOf(message))
  if (channel_type === 'email') return sendByMail(id, config, message, text, mask)
  const chat = (payload: object) => post(config.webhook_url ?? '', JSON_HEADERS, JSON.stringify(payload))
  if (channel_type === 'slack') return judged(await chat(renderSlack(text)), classifySlack)
  if (channel_type === 'teams') return judged(await chat(renderTeams(text)), classifyTeams)
  return judged(await chat(renderFeishu(text, config.secret, seconds)), classifyFeishu)
}

/** Masks all secrets in a channel's configuration. */
const maskOfChannel = ({ webhook_url, bot_token, secret, headers, smtp_user, smtp_password }: DecryptedConfig): Mask =>
  maskOf([
    ...(webhook_url === undefined ? [] : secretsOfUrl(webhook_url)),
    ...(bot_token === undefined ? [] : [bot_token]),
    ...(secret === undefined ? [] : secretsOfSigning(secret)),
    ...Object.values(headers ?? {}).flatMap(secretsOfHeader),
    ...(smtp_password === undefined ? [] : secretsOfMail(smtp_user ?? '', smtp_password)),
  ])

/** Removes secrets that the target repeated in its response. */
function redacted(classification: Classification, mask: Mask): Classification {
  if (classification.kind === 'delivered') return classification
  const { code, detail } = classification.error
  return { ...classification, error: { code, detail: mask(detail) } }
}

/**
 * Sends a message to its channel. Never throws: a message that cannot be rendered must not block those after it.
 *
 * @param traceparent trace context of the attempt; sent to webhooks only
 */
export async function send(channel: OpenChannel, message: DueMessage, traceparent: string | null): Promise<SendResult> {
  const mask = maskOfChannel(channel.config)
  const result = await renderAndSend(channel, message, traceparent, mask).catch((error: unknown): SendResult => {
    log.error({ error, message: message.id, event: message.event }, 'could not render or send a channel message')
    const classification = permanent('internal', 'Signalbox could not render this message because of an internal error.', false)
    return { classification, response_status: null, duration_ms: 0 }
  })
  return { ...result, classification: redacted(result.classification, mask) }
}
