/**
 * Slack: Block Kit through an incoming webhook (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), and what its
 * response means.
 */
import type { EventMessage, Fact } from '../../event-messages/index.ts'
import type { OutboundResult } from '../../outbound/outbound.ts'
import { retryAfter } from '../../outbound/retry-after.ts'
import type { Classification } from '../outcome.ts'
import { gone, isIncomplete, jsonOf, noResponse, permanent, transient } from '../outcome.ts'

const MARKS: Record<EventMessage['severity'], string> = { info: '🔵', good: '✅', warning: '🟠', bad: '🔴' }

/** Escapes the three control characters of Slack, which start mentions, links and entities. */
const withEntities = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const FORMATTING: Record<string, string> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ', '>': '›' }

/**
 * Text that Slack shows as it is. There is no escape for what formats: it is replaced by characters that look alike, except within words, as
 * in `snake_case`, where Slack takes it as text. A `>` begins a quote also as an entity.
 */
export const escaped = (text: string): string =>
  withEntities(
    text.replaceAll(
      /(?<![A-Za-z0-9])[*_~]|[*_~](?![A-Za-z0-9])|`|(?<=^[\s\u200b>]*)>/gm,
      (character) => FORMATTING[character] ?? '',
    ),
  )

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
  `<${withEntities(url).replaceAll('|', '%7C')}|${escaped(text.replaceAll('|', '¦'))}>`

const field = ({ name, value, link }: Fact) =>
  mrkdwn(`*${name}*\n${link ? `${linked(link.url, value)} (${escaped(link.host)})` : escaped(value)}`)

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
      ...(message.warning ? [{ type: 'section', text: mrkdwn(`*Warning:* ${escaped(message.warning)}`) }] : []),
      { type: 'section', text: mrkdwn(escaped(message.sentence)) },
      ...(message.quote ? [{ type: 'section', text: mrkdwn(escaped(message.quote).replaceAll(/^/gm, '>')) }] : []),
      ...(message.effects ? [{ type: 'section', text: mrkdwn(escaped(message.effects)) }] : []),
      ...sectionsOf(message.facts),
      ...(message.criteria ? [{ type: 'section', text: mrkdwn(`*Acceptance criteria*\n${escaped(message.criteria)}`) }] : []),
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

/** Error codes for errors in the message that Signalbox made. */
export const MESSAGE_ERRORS = new Set([
  'invalid_payload',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'no_text',
  'missing_text_or_fallback_or_attachments',
  'too_many_attachments',
  'msg_blocks_too_long',
  'msg_too_long',
  'invalid_arguments',
])

const GONE = 'The webhook no longer exists. Create a new one in Slack and set it here.'
const FORBIDDEN = 'Slack does not allow this webhook to post. Ask an admin of the Slack workspace.'

/** Error codes for errors in the configuration of the channel, and what its owner can do. */
const CHANNEL_ERRORS: Record<string, string> = {
  user_not_found: 'The user that the webhook posts to no longer exists.',
  channel_not_found: 'The Slack channel that the webhook posts to no longer exists.',
  channel_is_archived: 'The Slack channel is archived. Unarchive it, or create a webhook for another one.',
  action_prohibited: FORBIDDEN,
  posting_to_general_channel_denied: FORBIDDEN,
  invalid_token: GONE,
  team_disabled: 'The Slack workspace is disabled.',
  no_team: 'The Slack workspace no longer exists.',
  no_service: GONE,
  no_service_id: GONE,
  no_active_hooks: GONE,
}

/** Success is 200 with the body `ok`. Everything else is a failure. */
export function classifySlack(result: OutboundResult, now: number): Classification {
  const { status, body, headers, error } = result
  if (status === null || isIncomplete(result)) return noResponse(error)
  const text = (body ?? '').trim()
  if (status === 200 && text === 'ok') return { kind: 'delivered' }
  const reported = jsonOf(result).error ?? text
  // Only what looks like an error code is shown: the body may contain anything.
  const code = typeof reported === 'string' && /^[a-z_]{1,60}$/.test(reported) ? reported : null
  const answer = `Slack answered ${status}${code ? ` ${code}` : ''}.`
  if (code && MESSAGE_ERRORS.has(code)) return permanent('invalid_payload', answer, false)
  if (status === 410) return gone(`${answer} The Slack channel is archived, or the webhook was removed.`)
  if (code && Object.hasOwn(CHANNEL_ERRORS, code)) return permanent(code, `${answer} ${CHANNEL_ERRORS[code]}`)
  if (status === 429 || code === 'rate_limited') {
    return transient('rate_limited', answer, Math.max(1, retryAfter(headers ?? {}, now)))
  }
  if (status === 413) return permanent('payload_too_large', answer, false)
  if (status >= 500 || status === 408) return transient('http_error', answer, retryAfter(headers ?? {}, now))
  if (status < 400) return transient('not_understood', `${answer} Expected 200 with the body "ok".`)
  return permanent('http_error', answer)
}
