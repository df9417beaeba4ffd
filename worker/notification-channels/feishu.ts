/** Feishu and Lark: an interactive card (JSON 2.0) to a custom bot. */
import { createHmac } from 'node:crypto'
import { retryAfter } from '../deployment-hooks/outcome.ts'
import type { EventMessage, Severity } from '../event-messages/index.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import { withoutMentions } from './mentions.ts'
import { gone, isBroken, jsonOf, permanent, transient, unanswered, type Verdict } from './outcome.ts'

const TEMPLATES: Record<Severity, string> = { info: 'blue', good: 'green', warning: 'orange', bad: 'red' }

// Plain text alone: it knows neither mentions nor links, so that no name can hold one; what looks like a mention is
// broken all the same, lest some client read it. A property that the card does not know is an error.
const plain = (content: string) => ({ tag: 'plain_text', content: withoutMentions(content) })
const div = (content: string) => ({ tag: 'div', text: plain(content) })
const column = (weight: number, content: string) => ({ tag: 'column', width: 'weighted', weight, elements: [div(content)] })

const card = (message: EventMessage) => ({
  schema: '2.0',
  config: { update_multi: true, width_mode: 'fill', summary: { content: withoutMentions(message.summary) } },
  header: { title: plain(message.title), subtitle: plain(message.place), template: TEMPLATES[message.severity] },
  body: {
    direction: 'vertical',
    elements: [
      div(message.sentence),
      ...(message.quote ? [div(`“${message.quote}”`)] : []),
      ...message.facts.map(({ name, value }) => ({ tag: 'column_set', columns: [column(1, name), column(3, value)] })),
      ...(message.next ? [{ tag: 'hr' }, div(`Next: ${message.next}`)] : []),
      {
        tag: 'button',
        text: plain(message.about.label),
        type: 'default',
        behaviors: [{ type: 'open_url', default_url: message.about.url }],
      },
    ],
  },
})

/**
 * The bot's own signature: the time and the secret are the key, and what is signed is empty.
 *
 * @param timestamp seconds since 1970; the bot takes it for an hour, so that each attempt is signed anew
 */
export const feishuSign = (secret: string, timestamp: number): string =>
  createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64')

/** @param secret where the bot asks for signatures */
export function renderFeishu(message: EventMessage, secret: string | undefined, timestamp: number): object {
  return {
    ...(secret === undefined ? {} : { timestamp: String(timestamp), sign: feishuSign(secret, timestamp) }),
    msg_type: 'interactive',
    card: card(message),
  }
}

const OURS: Record<number, string> = {
  9499: 'invalid_payload',
  19002: 'invalid_payload',
  19036: 'payload_too_large',
}

/** What is wrong with the bot, and what its owner can do. */
const BROKEN: Record<number, [code: string, hint: string]> = {
  19001: ['webhook_gone', 'The webhook does not exist any more: copy it anew from the bot.'],
  19021: ['signature_rejected', 'The bot asks for signatures: set its signing secret here as it stands there.'],
  19022: ['ip_rejected', 'The bot takes messages from listed addresses alone: add the address of this service.'],
  19024: ['keyword_rejected', 'The bot takes messages with a keyword alone: take the keyword off, or sign instead.'],
}

const RATE = new Set([11232, 99991400])

/** 200 carries failures as well: success is 200, JSON, and `code` 0. */
export function judgeFeishu(result: OutboundResult, now: number): Verdict {
  const { status, error } = result
  if (status === null || isBroken(result)) return unanswered(error)
  const { code } = jsonOf(result)
  const number = typeof code === 'number' ? code : null
  if (status === 200 && number === 0) return { kind: 'delivered' }
  const headers = result.headers ?? {}
  const answer = `Feishu answered ${status}${number === null ? '' : ` with code ${number}`}.`
  if (status === 429 || (number !== null && RATE.has(number))) {
    const reset = Number(headers['x-ogw-ratelimit-reset'])
    const asked = Math.min(Number.isFinite(reset) ? Math.max(0, Math.ceil(reset)) : 0, 3600)
    return transient('rate_limited', answer, Math.max(1, asked, retryAfter(headers, now)))
  }
  if (number !== null && number in OURS) return permanent(OURS[number] ?? '', answer, false)
  const broken = number === null ? undefined : BROKEN[number]
  if (broken) return permanent(broken[0], `${answer} ${broken[1]}`)
  if (status === 410) return gone(answer)
  if (status === 413) return permanent('payload_too_large', answer, false)
  if (status >= 400 && status < 500 && status !== 408 && number === null) return permanent('http_error', answer)
  return transient(status >= 500 ? 'http_error' : 'not_understood', answer, retryAfter(headers, now))
}
