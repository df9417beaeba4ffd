/** Sends one message once, in the form of its channel, and judges what came of it. */

import type { Envelope, OpenConfig } from '../../core/notification-channels.ts'
import { epochSeconds } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { messageOf } from '../event-messages/index.ts'
import { type Mask, maskOf, secretsOfHeader, secretsOfMail, secretsOfSigning, secretsOfUrl } from '../outbound/masking.ts'
import { type OutboundResult, post } from '../outbound/outbound.ts'
import { sendByMail } from './email.ts'
import { judgeFeishu, renderFeishu } from './feishu.ts'
import type { DueMessage, OpenChannel } from './fetch-due.ts'
import { permanent, type Tried, type Verdict } from './outcome.ts'
import { judgeSlack, renderSlack } from './slack.ts'
import { judgeTeams, renderTeams } from './teams.ts'
import { judgeWebhook, webhookHeaders } from './webhook.ts'

const JSON_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'Signalbox-Notifications/1' }

const judged = (result: OutboundResult, judge: (result: OutboundResult, now: number) => Verdict): Tried => ({
  verdict: judge(result, Date.now()),
  response_status: result.status,
  duration_ms: result.duration_ms,
})

async function dispatch(
  { id, channel_type, config }: OpenChannel,
  message: DueMessage,
  traceparent: string | null,
  mask: Mask,
): Promise<Tried> {
  if (channel_type === 'webhook') {
    const headers = webhookHeaders(config, message, epochSeconds(), traceparent)
    return judged(await post(config.url ?? '', headers, message.body, id), (result, now) => judgeWebhook(result, now, mask))
  }
  const text = messageOf(JSON.parse(message.body) as Envelope)
  if (channel_type === 'email') return sendByMail(id, config, message, text, mask)
  const chat = (payload: object) => post(config.webhook_url ?? '', JSON_HEADERS, JSON.stringify(payload))
  if (channel_type === 'slack') return judged(await chat(renderSlack(text)), judgeSlack)
  if (channel_type === 'teams') return judged(await chat(renderTeams(text)), judgeTeams)
  return judged(await chat(renderFeishu(text, config.secret, epochSeconds())), judgeFeishu)
}

/** All that a channel's configuration keeps secret. */
const maskOfChannel = ({ webhook_url, secret, headers, smtp_user, smtp_password }: OpenConfig): Mask =>
  maskOf([
    ...(webhook_url === undefined ? [] : secretsOfUrl(webhook_url)),
    ...(secret === undefined ? [] : secretsOfSigning(secret)),
    ...Object.values(headers ?? {}).flatMap(secretsOfHeader),
    ...(smtp_password === undefined ? [] : secretsOfMail(smtp_user ?? '', smtp_password)),
  ])

/** Whatever a peer repeats of what it was sent, no secret gets into a log. */
function redacted(verdict: Verdict, mask: Mask): Verdict {
  if (verdict.kind === 'delivered') return verdict
  const { code, detail } = verdict.error
  return { ...verdict, error: { code, detail: mask(detail) } }
}

/**
 * Sends a message to its channel. It never throws: a message that cannot be made must not hold up those after it.
 *
 * @param traceparent the place of the attempt in a trace; told to webhooks alone, as chat tools have no use for it
 */
export async function send(channel: OpenChannel, message: DueMessage, traceparent: string | null): Promise<Tried> {
  const mask = maskOfChannel(channel.config)
  const tried = await dispatch(channel, message, traceparent, mask).catch((error: unknown): Tried => {
    log.error({ error, message: message.id, event: message.event }, 'a message could not be made')
    const verdict = permanent('internal', 'Signalbox could not make this message; the fault is ours.', false)
    return { verdict, response_status: null, duration_ms: 0 }
  })
  return { ...tried, verdict: redacted(tried.verdict, mask) }
}
