/** Renders a message as a mail: text and HTML, with the headers of automatic mail. */
import type { SendMailOptions } from 'nodemailer'
import type { EmailConfig } from '../../../core/notification-channels/email.ts'
import { config as settings } from '../../../core/platform/config.ts'
import type { EventMessage } from '../../event-messages/index.ts'
import { aside, button, mailHtml, nextStep, paragraph, quotation, table, warningOf } from '../../mail/html.tsx'
import { mailboxOf } from './outcome.ts'

function textOf({
  title,
  warning,
  sentence,
  quote,
  effects,
  facts,
  criteria,
  next,
  scope,
  at,
  about,
  event,
}: EventMessage): string {
  const parts = [
    title,
    warning && `Warning: ${warning}`,
    sentence,
    quote?.replaceAll(/^/gm, '> '),
    effects,
    facts.map(({ name, value, link }) => `${name}: ${value}${link ? ` ${link.url}` : ''}`).join('\n'),
    criteria && `Acceptance criteria:\n${criteria}`,
    next && `Next: ${next}`,
    `${about.label}: ${about.url}`,
    `${scope} · ${at} · ${event}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function htmlOf({ title, summary, warning, sentence, quote, effects, facts, criteria, next, ...message }: EventMessage): string {
  const { about, severity } = message
  return mailHtml(summary, title, severity, [
    warning && warningOf(warning),
    paragraph(sentence),
    quote && quotation(quote),
    effects && paragraph(effects),
    facts.length > 0 && table(facts),
    criteria && paragraph(`Acceptance criteria:\n${criteria}`),
    next && nextStep(next),
    button(about.url, about.label),
    aside(`${message.scope} · ${message.at} · ${message.event}`),
  ])
}

/** Canonical addresses without duplicates. */
export const mailboxesOf = (addresses: string[]): string[] => [...new Set(addresses.map(mailboxOf))]

/**
 * The mail of a message. It is the same in every attempt.
 *
 * `References` names a mail that was never sent, so that mail clients show related messages as one thread.
 */
export function mailOf(
  channel_id: string,
  { from_address, to_addresses }: Pick<EmailConfig, 'from_address' | 'to_addresses'>,
  { id }: { id: string },
  message: EventMessage,
): SendMailOptions {
  const domain = new URL(settings.PUBLIC_URL).hostname
  const thread = message.thread && `<${message.thread}@${domain}>`
  return {
    // As objects: nodemailer parses a string as a list of addresses.
    from: { name: 'Signalbox', address: from_address },
    to: mailboxesOf(to_addresses).map((address) => ({ name: '', address })),
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
