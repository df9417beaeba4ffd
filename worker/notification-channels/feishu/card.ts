/** Feishu and Lark: an interactive card (JSON 2.0) to a custom bot. */
import { createHmac } from 'node:crypto'
import type { EventMessage, Severity } from '../../event-messages/index.ts'
import { withoutMentions } from '../mentions.ts'

const TEMPLATES: Record<Severity, string> = { info: 'blue', good: 'green', warning: 'orange', bad: 'red' }

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
      div(message.sentence),
      ...(message.quote ? [div(`“${message.quote}”`)] : []),
      ...(message.criteria ? [div(`Acceptance criteria:\n${message.criteria}`)] : []),
      ...message.facts.map(({ name, value }) => ({ tag: 'column_set', columns: [column(1, name), column(3, value)] })),
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

/**
 * Feishu's signature: an HMAC of the empty message, with timestamp and secret as the key.
 *
 * @param timestamp seconds since 1970; it is valid for an hour, so each attempt is signed again
 */
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
