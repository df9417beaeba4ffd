/** Slack: Block Kit through an incoming webhook (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). */

import type { EventMessage, Fact, Severity } from '../../event-messages/index.ts'

const MARKS: Record<Severity, string> = { info: '🔵', good: '✅', warning: '🟠', bad: '🔴' }

/** Escapes the three control characters of Slack, which start mentions, links and entities. */
export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

// `verbatim`: Slack does not turn text that looks like a link, channel or user into one.
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })

const LOOK_ALIKES: Record<string, string> = { '<': '‹', '>': '›', '&': '＆' }

/**
 * Text that Slack shows as it is. It parses no mentions or links there, but it is not documented whether it decodes entities: characters
 * that look alike need no escaping, and mean nothing wherever the text is repeated.
 */
export const plain = (text: string) => ({
  type: 'plain_text',
  text: text.replaceAll(/[<>]|&(?=#?\w+;)/g, (character) => LOOK_ALIKES[character] ?? ''),
})

/** A message of Slack. */
export interface SlackMessage {
  text: string
  unfurl_links: boolean
  unfurl_media: boolean
  blocks: { type: string; [field: string]: unknown }[]
}

/** Characters of JSON. */
const LONG_BLOCK = 1_000

/** A message without its long parts, for when Slack finds the whole too long. Buttons stay. */
export const shortened = (message: SlackMessage): SlackMessage => ({
  ...message,
  blocks: message.blocks.filter((block) => block.type === 'actions' || JSON.stringify(block).length <= LONG_BLOCK),
})

/** Slack shows at most ten fields of a section. */
const MAX_FIELDS = 10

/** A link of its own form, `<url|text>`. */
const linked = (url: string, text: string): string =>
  `<${escaped(url).replaceAll('|', '%7C')}|${escaped(text.replaceAll('|', '¦'))}>`

const field = ({ name, value, link }: Fact) =>
  mrkdwn(`*${name}*\n${link ? `${linked(link.url, value)} (${escaped(link.host)})` : escaped(value)}`)

/** Fields in sections. */
function sectionsOf(facts: Fact[]) {
  const fields = facts.map(field)
  return fields.flatMap((_, index) =>
    index % MAX_FIELDS === 0 ? [{ type: 'section', fields: fields.slice(index, index + MAX_FIELDS) }] : [],
  )
}

/**
 * Texts are limited where the message is described, so that they stay within Slack's limits even if escaping makes them five
 * times longer: 150 characters per header, 3,000 per section, 2,000 per field, about 13,000 in total.
 */
export function renderSlack(message: EventMessage): SlackMessage {
  return {
    // For desktop notifications and screen readers; Slack parses it as well.
    text: escaped(message.summary),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(`${MARKS[message.severity]} ${message.title}`) },
      { type: 'section', text: mrkdwn(escaped(message.sentence)) },
      ...(message.quote ? [{ type: 'section', text: mrkdwn(escaped(message.quote).replaceAll(/^/gm, '>')) }] : []),
      ...(message.criteria ? [{ type: 'section', text: mrkdwn(`*Acceptance criteria*\n${escaped(message.criteria)}`) }] : []),
      ...sectionsOf(message.facts),
      ...(message.next ? [{ type: 'section', text: mrkdwn(`*Next:* ${escaped(message.next)}`) }] : []),
      {
        type: 'context',
        elements: [
          mrkdwn(`${escaped(message.scope)} · ${escaped(message.at)} · <${message.about.url}|${escaped(message.event)}>`),
        ],
      },
    ],
  }
}
