/** Teams: an Adaptive Card, sent to a Teams workflow that posts it, and what its response means. */
import { type EventMessage, messageOf } from '../event-messages/index.ts'
import { envelopeOf } from '../event-messages/people.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import { retryAfter } from '../outbound/retry-after.ts'
import { type Classification, gone, jsonOf, noResponse, permanent, transient } from './outcome.ts'
import { postToChat, withoutMentions } from './post.ts'
import type { Sender } from './sender.ts'

const COLORS: Record<EventMessage['severity'], string> = { info: 'Accent', good: 'Good', warning: 'Warning', bad: 'Attention' }

/**
 * Text blocks and facts are Markdown (links, bold, italic, lists), so its characters are escaped. Tags and mentions are broken
 * with a zero-width space.
 */
const escaped = (text: string): string =>
  text
    .replaceAll(/<(?=[a-z/!?])/gi, '<\u200b')
    .replaceAll(/[\\[\]()*_~`]/g, '\\$&')
    // At the start of a line: indented code, lists, headings, quotes.
    .replaceAll(/^[ \t]+/gm, '')
    .replaceAll(/^[-+#>=]/gm, '\\$&')
    .replaceAll(/^(\d+)\./gm, '$1\\.')

/** Text with line breaks: Markdown joins lines that no empty line separates. */
const lines = (text: string): string => escaped(text).replaceAll(/\n+/g, '\n\n')

const block = (text: string, rest: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...rest })

/** One attachment, because the standard workflow fails if there are more. At most about 12 KB; Teams accepts 28 KB. */
export function renderTeams(message: EventMessage): object {
  const facts = message.facts.map(({ name, value }) => ({ title: name, value: escaped(value) }))
  return {
    type: 'message',
    // For notifications, which are not Markdown. Links are broken nevertheless.
    summary: withoutMentions(message.summary).replaceAll('](', '] ('),
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [
            block(message.title, { size: 'Large', weight: 'Bolder', style: 'heading', color: COLORS[message.severity] }),
            ...(message.warning ? [block(`**Warning:** ${escaped(message.warning)}`, { color: COLORS.bad })] : []),
            block(escaped(message.sentence)),
            ...(message.quote ? [{ type: 'Container', style: 'emphasis', items: [block(lines(message.quote))] }] : []),
            ...(message.effects ? [block(escaped(message.effects))] : []),
            ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : []),
            ...(message.criteria ? [block('**Acceptance criteria**'), block(lines(message.criteria))] : []),
            ...(message.next ? [block(`**Next:** ${escaped(message.next)}`)] : []),
            block(escaped(`${message.scope} · ${message.at} · ${message.event}`), {
              size: 'Small',
              isSubtle: true,
              spacing: 'Medium',
            }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: message.about.label, url: message.about.url }],
        },
      },
    ],
  }
}

const CHECK_URL = 'The workflow was deleted or turned off, or its URL has changed. Copy the current URL from Teams.'

/** A workflow answers 202 with an empty body before it posts, so any 2xx counts as success. */
export function classifyTeams(result: OutboundResult, now: number): Classification {
  const { status, headers, error } = result
  if (status === null) return noResponse(error)
  // The retired connectors answered 200 with the error in the body.
  const [, inside] = /Microsoft Teams endpoint returned HTTP error (\d{3})/.exec(result.body ?? '') ?? []
  const effective = inside ? Number(inside) : status
  if (effective >= 200 && effective < 300) return { kind: 'delivered' }
  const reported = (jsonOf(result).error as { code?: unknown } | undefined)?.code
  const code = typeof reported === 'string' && /^[A-Za-z]{1,60}$/.test(reported) ? ` ${reported}` : ''
  const answer = `Teams answered ${effective}${code}.`
  if (effective === 410) return gone(`${answer} ${CHECK_URL}`)
  if (effective === 400 && /Workflow(NotFound|TriggerIsNotEnabled)/.test(code))
    return permanent('workflow_gone', `${answer} ${CHECK_URL}`)
  if (effective === 413) return permanent('payload_too_large', answer, false)
  if (effective === 400) return permanent('invalid_payload', answer, false)
  if (effective === 429) return transient('rate_limited', answer, Math.max(1, retryAfter(headers ?? {}, now)))
  if (effective >= 500 || effective === 408) return transient('http_error', answer, retryAfter(headers ?? {}, now))
  if (effective < 400) return transient('not_understood', answer)
  return permanent('http_error', `${answer} ${CHECK_URL}`)
}

export const teams: Sender<'teams'> = {
  inFlight: 1,
  isForPeople: true,
  send: (channel, message) =>
    postToChat(channel, channel.config.webhook_url, renderTeams(messageOf(envelopeOf(message))), classifyTeams),
}
