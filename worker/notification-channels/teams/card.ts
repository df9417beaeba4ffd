/** Teams: an Adaptive Card, sent to a Teams workflow that posts it. */
import type { EventMessage, Severity } from '../../event-messages/index.ts'
import { withoutMentions } from '../mentions.ts'

const COLORS: Record<Severity, string> = { info: 'Accent', good: 'Good', warning: 'Warning', bad: 'Attention' }

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
            block(escaped(message.sentence)),
            ...(message.quote ? [{ type: 'Container', style: 'emphasis', items: [block(lines(message.quote))] }] : []),
            ...(message.criteria ? [block('**Acceptance criteria**'), block(lines(message.criteria))] : []),
            ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : []),
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
