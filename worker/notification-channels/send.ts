/** Sends one message once, in the form of its channel, and judges what came of it. */
import { epochSeconds } from '../../core/clock.ts'
import { messageOf } from '../../core/event-messages/index.ts'
import { log } from '../../core/log.ts'
import type { Envelope, OpenConfig } from '../../core/notification-channels.ts'
import { type OutboundResult, post } from '../../core/outbound.ts'
import { MASK } from '../../core/secrets.ts'
import { sendByMail } from './email.ts'
import { judgeFeishu, renderFeishu } from './feishu.ts'
import type { DueMessage, OpenChannel } from './look.ts'
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
): Promise<Tried> {
  if (channel_type === 'webhook') {
    return judged(
      await post(config.url ?? '', webhookHeaders(config, message, epochSeconds(), traceparent), message.body),
      judgeWebhook,
    )
  }
  const text = messageOf(JSON.parse(message.body) as Envelope)
  if (channel_type === 'email') return sendByMail(id, config, message, text)
  const chat = (payload: object) => post(config.webhook_url ?? '', JSON_HEADERS, JSON.stringify(payload))
  if (channel_type === 'slack') return judged(await chat(renderSlack(text)), judgeSlack)
  if (channel_type === 'teams') return judged(await chat(renderTeams(text)), judgeTeams)
  return judged(await chat(renderFeishu(text, config.secret, epochSeconds())), judgeFeishu)
}

/** Whatever a peer repeats of what it was sent, no secret gets into a log. */
function redacted(verdict: Verdict, config: OpenConfig): Verdict {
  if (verdict.kind === 'delivered') return verdict
  const secrets = [config.webhook_url, config.secret, config.smtp_password, ...Object.values(config.headers ?? {})]
  let { detail } = verdict.error
  for (const secret of secrets) {
    if (!secret || secret.length < 4) continue
    for (const form of [secret, Buffer.from(secret).toString('base64')]) detail = detail.replaceAll(form, MASK)
  }
  return { ...verdict, error: { ...verdict.error, detail } }
}

/**
 * Sends a message to its channel. It never throws: a message that cannot be made must not hold up those after it.
 *
 * @param traceparent the place of the attempt in a trace; told to webhooks alone, as chat tools have no use for it
 */
export async function send(channel: OpenChannel, message: DueMessage, traceparent: string | null): Promise<Tried> {
  const tried = await dispatch(channel, message, traceparent).catch((error: unknown): Tried => {
    log.error({ error, message: message.id, event: message.event }, 'a message could not be made')
    const verdict = permanent('internal', 'Signalbox could not make this message; the fault is ours.', false)
    return { verdict, response_status: null, duration_ms: 0 }
  })
  return { ...tried, verdict: redacted(tried.verdict, channel.config) }
}
