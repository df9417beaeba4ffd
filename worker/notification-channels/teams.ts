/** Teams: an Adaptive Card to a Workflow that posts what it receives. */

import { retryAfter } from '../deployment-hooks/outcome.ts'
import type { EventMessage, Severity } from '../event-messages/index.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import { withoutMentions } from './mentions.ts'
import { gone, jsonOf, permanent, transient, unanswered, type Verdict } from './outcome.ts'

const COLOURS: Record<Severity, string> = { info: 'Accent', good: 'Good', warning: 'Warning', bad: 'Attention' }

/**
 * Text blocks and facts read Markdown: links, bold, italic, lists. A mention is nothing without its entity, which is
 * never sent; what else begins with `<`, a link or an element, is broken as mentions are.
 */
const escaped = (text: string): string =>
  text
    .replaceAll(/<(?=[a-z/!?])/gi, '<\u200b')
    .replaceAll(/[\\[\]()*_~`]/g, '\\$&')
    // At the beginning of a line: code that is set in, lists, headings, quotations.
    .replaceAll(/^[ \t]+/gm, '')
    .replaceAll(/^[-+#>=]/gm, '\\$&')
    .replaceAll(/^(\d+)\./gm, '$1\\.')

/** Running text; Markdown joins what no empty line parts. */
const lines = (text: string): string => escaped(text).replaceAll(/\n+/g, '\n\n')

const block = (text: string, rest: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...rest })

/** One attachment: the Workflow of the template posts the first, and fails at more. At most some 12 KB of the 28 that Teams takes. */
export function renderTeams(message: EventMessage): object {
  const facts = message.facts.map(({ name, value }) => ({ title: name, value: escaped(value) }))
  return {
    type: 'message',
    // Of notices, which read no Markdown; a link is broken all the same.
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
            block(message.title, { size: 'Large', weight: 'Bolder', style: 'heading', color: COLOURS[message.severity] }),
            block(escaped(message.sentence)),
            ...(message.quote ? [{ type: 'Container', style: 'emphasis', items: [block(lines(message.quote))] }] : []),
            ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : []),
            ...(message.next ? [block(`**Next:** ${escaped(message.next)}`)] : []),
            block(escaped(`${message.place} · ${message.event}`), { size: 'Small', isSubtle: true, spacing: 'Medium' }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: message.about.label, url: message.about.url }],
        },
      },
    ],
  }
}

const REMAKE = 'The Workflow is gone, switched off, or its URL was renewed: copy its URL anew from Teams.'

/** A Workflow answers 202 with nothing, and posts afterwards: any 2xx is all the success that there is to see. */
export function judgeTeams(result: OutboundResult, now: number): Verdict {
  const { status, headers, error } = result
  if (status === null) return unanswered(error)
  // Connectors, which are gone, answered 200 and told of an error in the body.
  const [, inside] = /Microsoft Teams endpoint returned HTTP error (\d{3})/.exec(result.body ?? '') ?? []
  const effective = inside ? Number(inside) : status
  if (effective >= 200 && effective < 300) return { kind: 'delivered' }
  const said = (jsonOf(result).error as { code?: unknown } | undefined)?.code
  const word = typeof said === 'string' && /^[A-Za-z]{1,60}$/.test(said) ? ` ${said}` : ''
  const answer = `Teams answered ${effective}${word}.`
  if (effective === 410) return gone(`${answer} ${REMAKE}`)
  if (effective === 400 && /Workflow(NotFound|TriggerIsNotEnabled)/.test(word))
    return permanent('workflow_gone', `${answer} ${REMAKE}`)
  if (effective === 413) return permanent('payload_too_large', answer, false)
  if (effective === 400) return permanent('invalid_payload', answer, false)
  if (effective === 429) return transient('rate_limited', answer, Math.max(1, retryAfter(headers ?? {}, now)))
  if (effective >= 500 || effective === 408) return transient('http_error', answer, retryAfter(headers ?? {}, now))
  if (effective < 400) return transient('not_understood', answer)
  return permanent('http_error', `${answer} ${REMAKE}`)
}
