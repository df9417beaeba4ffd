/** A message as a mail: text and HTML, with the headers of something that a machine sent. */
import type { SendMailOptions } from 'nodemailer'
import { config as settings } from '../../core/config.ts'
import type { EventMessage, Severity } from '../../core/event-messages/index.ts'
import type { OpenConfig } from '../../core/notification-channels.ts'

const COLOURS: Record<Severity, string> = { info: '#3b6fb6', good: '#2e8540', warning: '#d08700', bad: '#c0392b' }

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
const withLines = (text: string): string => escaped(text).replaceAll('\n', '<br>')

function textOf({ title, sentence, quote, facts, next, place, about, event }: EventMessage): string {
  const parts = [
    title,
    sentence,
    quote?.replaceAll(/^/gm, '> '),
    facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    next && `Next: ${next}`,
    `${place}\n${event}: ${about.url}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

// No images, no scripts, nothing from elsewhere: it looks the same everywhere, and tells nobody that it was read.
function htmlOf({ title, summary, sentence, quote, facts, next, place, about, event, severity }: EventMessage): string {
  const rows = facts.map(
    ({ name, value }) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#666;vertical-align:top">${escaped(name)}</td><td style="padding:2px 0">${escaped(value)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(summary)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1d1f23;font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#fff;border-radius:8px;border-top:4px solid ${COLOURS[severity]}">
<h1 style="margin:0 0 8px;font-size:20px;color:${COLOURS[severity]}">${escaped(title)}</h1>
<p style="margin:0 0 16px">${escaped(sentence)}</p>
${quote ? `<blockquote style="margin:0 0 16px;padding:8px 12px;border-left:3px solid #d0d4da;background:#f8f9fa">${withLines(quote)}</blockquote>\n` : ''}${rows.length > 0 ? `<table style="margin:0 0 16px;border-collapse:collapse;font-size:14px">${rows.join('')}</table>\n` : ''}${next ? `<p style="margin:0 0 16px"><strong>Next:</strong> ${escaped(next)}</p>\n` : ''}<p style="margin:0;color:#666;font-size:12px">${escaped(place)} · <a href="${escaped(about.url)}" style="color:#666">${escaped(event)}</a></p>
</div></body></html>
`
}

/**
 * The mail of a message, the same in every attempt.
 *
 * `References` name a first mail that was never sent: what belongs together hangs together, whichever comes first.
 */
export function mailOf(
  channel_id: string,
  { from_address = '', to_addresses = [] }: OpenConfig,
  { id }: { id: string },
  message: EventMessage,
): SendMailOptions {
  const domain = new URL(settings.PUBLIC_URL).hostname
  const thread = message.thread && `<${message.thread}@${domain}>`
  return {
    // As objects: a text would be read as a list, in which one address can hold others.
    from: { name: 'Signalbox', address: from_address },
    to: to_addresses.map((address) => ({ name: '', address })),
    subject: message.summary,
    text: textOf(message),
    html: htmlOf(message),
    date: new Date(message.created_at),
    messageId: `<${id}@${domain}>`,
    ...(thread ? { inReplyTo: thread, references: thread } : {}),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      'List-Id': `<${channel_id}.channels.${domain}>`,
      'X-Signalbox-Event': message.event,
    },
  }
}
