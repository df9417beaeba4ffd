/** Slack: Block Kit through an incoming webhook (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). */

import { retryAfter } from '../deployment-hooks/outcome.ts'
import type { EventMessage, Severity } from '../event-messages/index.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import { gone, isBroken, jsonOf, permanent, transient, unanswered, type Verdict } from './outcome.ts'

const MARKS: Record<Severity, string> = { info: '🔵', good: '✅', warning: '🟠', bad: '🔴' }

/** The three characters that begin something in Slack: a mention, a link, an entity. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

// `verbatim`: nothing that merely looks like a link, a room or a person becomes one.
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
const plain = (text: string) => ({ type: 'plain_text', text })

/**
 * Texts are bounded where the message is made, so that the longest, five times longer by escaping, stay within Slack's
 * limits: 150 characters a header, 3,000 a section, 2,000 a field, ten fields, some 13,000 in all.
 */
export function renderSlack(message: EventMessage): object {
  const facts = message.facts.map(({ name, value }) => mrkdwn(`*${name}*\n${escaped(value)}`))
  return {
    // What notices and screen readers get; it is parsed as well.
    text: escaped(message.summary),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(`${MARKS[message.severity]} ${message.title}`) },
      { type: 'section', text: mrkdwn(escaped(message.sentence)) },
      ...(message.quote ? [{ type: 'section', text: mrkdwn(escaped(message.quote).replaceAll(/^/gm, '>')) }] : []),
      ...(facts.length > 0 ? [{ type: 'section', fields: facts }] : []),
      ...(message.next ? [{ type: 'section', text: mrkdwn(`*Next:* ${escaped(message.next)}`) }] : []),
      { type: 'context', elements: [mrkdwn(`${escaped(message.place)} · <${message.about.url}|${escaped(message.event)}>`)] },
    ],
  }
}

/** What Slack says is wrong with the message: that is our fault, and not the channel's. */
const OURS = new Set([
  'invalid_payload',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'no_text',
  'missing_text_or_fallback_or_attachments',
  'too_many_attachments',
  'msg_blocks_too_long',
  'msg_too_long',
])

const GONE = 'The webhook does not exist any more: make a new one in Slack, and set it here.'
const FORBIDDEN = 'Slack does not let this webhook post: ask an admin of the Slack workspace.'

/** What Slack says is wrong with the channel, and what its owner can do. */
const BROKEN: Record<string, string> = {
  user_not_found: 'The person that it posts to is gone.',
  channel_not_found: 'The room that it posts to is gone.',
  channel_is_archived: 'The room is archived: unarchive it, or make a webhook for another one.',
  action_prohibited: FORBIDDEN,
  posting_to_general_channel_denied: FORBIDDEN,
  invalid_token: GONE,
  team_disabled: 'The Slack workspace is disabled.',
  no_team: 'The Slack workspace is gone.',
  no_service: GONE,
  no_service_id: GONE,
  no_active_hooks: GONE,
}

/** Success is 200 and the two letters `ok`; anything else is none, whatever its status. */
export function judgeSlack(result: OutboundResult, now: number): Verdict {
  const { status, body, headers, error } = result
  if (status === null || isBroken(result)) return unanswered(error)
  const text = (body ?? '').trim()
  if (status === 200 && text === 'ok') return { kind: 'delivered' }
  const said = jsonOf(result).error ?? text
  // Its own words alone are repeated: an answer may hold anything.
  const word = typeof said === 'string' && /^[a-z_]{1,60}$/.test(said) ? said : null
  const answer = `Slack answered ${status}${word ? ` ${word}` : ''}.`
  if (word && OURS.has(word)) return permanent('invalid_payload', answer, false)
  if (status === 410) return gone(`${answer} The room is archived, or the webhook is gone.`)
  if (word && Object.hasOwn(BROKEN, word)) return permanent(word, `${answer} ${BROKEN[word]}`)
  if (status === 429 || word === 'rate_limited') {
    return transient('rate_limited', answer, Math.max(1, retryAfter(headers ?? {}, now)))
  }
  if (status === 413) return permanent('payload_too_large', answer, false)
  if (status >= 500 || status === 408) return transient('http_error', answer, retryAfter(headers ?? {}, now))
  if (status < 400) return transient('not_understood', `${answer} A message that was taken is answered with 200 and "ok".`)
  return permanent('http_error', answer)
}
