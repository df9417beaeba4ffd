/** Feishu and Lark: an interactive card (JSON 2.0) to a custom bot, and what its response means. */
import { createHmac } from 'node:crypto'
import { databaseMs } from '../../core/platform/clock.ts'
import { type EventMessage, messageOf } from '../event-messages/index.ts'
import { envelopeOf } from '../event-messages/people.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import { retryAfter } from '../outbound/retry-after.ts'
import { type Classification, gone, isIncomplete, jsonOf, noResponse, permanent, transient } from './outcome.ts'
import { postToChat, withoutMentions } from './post.ts'
import type { Sender } from './sender.ts'

const TEMPLATES: Record<EventMessage['severity'], string> = { info: 'blue', good: 'green', warning: 'orange', bad: 'red' }

// Plain text only, in which names cannot contain mentions or links. Mentions are broken nevertheless, in case some client
// interprets them. Unknown properties in a card are an error.
const plain = (content: string) => ({ tag: 'plain_text', content: withoutMentions(content) })
const div = (content: string) => ({ tag: 'div', text: plain(content) })
const column = (weight: number, content: string) => ({ tag: 'column', width: 'weighted', weight, elements: [div(content)] })

const card = (message: EventMessage) => ({
  schema: '2.0',
  config: { update_multi: true, width_mode: 'fill', summary: { content: withoutMentions(message.summary) } },
  header: { title: plain(message.title), subtitle: plain(message.scope), template: TEMPLATES[message.severity] },
  body: {
    direction: 'vertical',
    elements: [
      ...(message.warning ? [div(`Warning: ${message.warning}`)] : []),
      div(message.sentence),
      ...(message.quote ? [div(`“${message.quote}”`)] : []),
      ...(message.effects ? [div(message.effects)] : []),
      ...message.facts.map(({ name, value }) => ({ tag: 'column_set', columns: [column(1, name), column(3, value)] })),
      ...(message.criteria ? [div(`Acceptance criteria:\n${message.criteria}`)] : []),
      ...(message.next ? [{ tag: 'hr' }, div(`Next: ${message.next}`)] : []),
      div(`${message.at} · ${message.event}`),
      {
        tag: 'button',
        text: plain(message.about.label),
        type: 'default',
        behaviors: [{ type: 'open_url', default_url: message.about.url }],
      },
    ],
  },
})

/** An HMAC of the empty message. @param timestamp seconds since 1970; valid for an hour, so each attempt is signed again */
const feishuSign = (secret: string, timestamp: number): string =>
  createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64')

/** @param secret undefined if the bot does not require signatures */
export function renderFeishu(message: EventMessage, secret: string | undefined, timestamp: number): object {
  return {
    ...(secret === undefined ? {} : { timestamp: String(timestamp), sign: feishuSign(secret, timestamp) }),
    msg_type: 'interactive',
    card: card(message),
  }
}

/** Codes of errors in the message that Signalbox made. */
const MESSAGE_ERRORS: Record<number, string> = {
  9499: 'invalid_payload',
  19002: 'invalid_payload',
  19036: 'payload_too_large',
}

/** Codes of errors in the configuration of the bot, and what its owner can do. */
const BOT_ERRORS: Record<number, [code: string, hint: string]> = {
  19001: ['webhook_gone', 'The webhook no longer exists. Copy the current one from the bot.'],
  19021: ['signature_rejected', 'The bot requires signatures. Set the same signing secret here.'],
  19022: ['ip_rejected', 'The bot only accepts messages from listed addresses. Add the address of this service.'],
  19024: ['keyword_rejected', 'The bot only accepts messages with a keyword. Remove the keyword, or use a signature instead.'],
}

const RATE_LIMITED = new Set([11232, 99991400])

/** Failures can have status 200 as well: success is 200 with JSON in which `code` is 0. */
export function classifyFeishu(result: OutboundResult, now: number): Classification {
  const { status, error } = result
  if (status === null || isIncomplete(result)) return noResponse(error)
  const { code } = jsonOf(result)
  const number = typeof code === 'number' ? code : null
  if (status === 200 && number === 0) return { kind: 'delivered' }
  const headers = result.headers ?? {}
  const answer = `Feishu answered ${status}${number === null ? '' : ` with code ${number}`}.`
  if (status === 429 || (number !== null && RATE_LIMITED.has(number))) {
    const reset = Number(headers['x-ogw-ratelimit-reset'])
    const asked = Math.min(Number.isFinite(reset) ? Math.max(0, Math.ceil(reset)) : 0, 3600)
    return transient('rate_limited', answer, Math.max(1, asked, retryAfter(headers, now)))
  }
  if (number !== null && number in MESSAGE_ERRORS) return permanent(MESSAGE_ERRORS[number] ?? '', answer, false)
  const botError = number === null ? undefined : BOT_ERRORS[number]
  if (botError) return permanent(botError[0], `${answer} ${botError[1]}`)
  if (status === 410) return gone(answer)
  if (status === 413) return permanent('payload_too_large', answer, false)
  if (status >= 400 && status < 500 && status !== 408 && number === null) return permanent('http_error', answer)
  return transient(status >= 500 ? 'http_error' : 'not_understood', answer, retryAfter(headers, now))
}

export const feishu: Sender<'feishu'> = {
  inFlight: 1,
  isForPeople: true,
  send(channel, message) {
    const { webhook_url, secret } = channel.config
    const seconds = Math.floor(databaseMs(channel.clock) / 1000)
    return postToChat(channel, webhook_url, renderFeishu(messageOf(envelopeOf(message)), secret, seconds), classifyFeishu)
  },
}
