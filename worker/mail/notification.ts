/** mail_notification: sends a notification by e-mail, if the user still wants it. */

import { notificationUrl } from '../../core/links.ts'
import { type MailedType, NOTIFICATION_TYPES } from '../../core/notifications/types.ts'
import { whoLacksFactor, withheldText } from '../../core/notifications/withheld.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import type { Scope } from '../../core/scopes.ts'
import { unsubscribeToken } from '../../core/security/unsubscribe-token.ts'
import { secondText } from '../../core/values/instants-text.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { createDecisionLink } from './decision-link.ts'
import { type AskedInMail, questionOf } from './gate-question.ts'
import { aside, button, link, mailHtml, nextStep, paragraph, table } from './html.tsx'
import { sendMail } from './transport.ts'

interface MailedNotification extends Scope {
  user_id: string
  name: string
  email: string
  type: MailedType
  title: string
  body: string
  organization_name: string
  resource_type: string
  resource_id: string
}

/**
 * The notification and its recipient; undefined if the user lost access, has no verified address, or turned the mails off.
 */
async function readNotification(notification_id: string): Promise<MailedNotification | undefined> {
  const [notification] = await sql<MailedNotification[]>`
    select
      notification.user_id, users.name, users.email, notification.type, notification.title, notification.body,
      notification.resource_type, notification.resource_id, notification.organization_id, notification.workspace_id,
      notification.project_id, notification.data ->> 'organization_name' as organization_name
    from notifications as notification
    join users on users.id = notification.user_id
    left join notification_preferences as preferences on preferences.user_id = users.id
    where notification.id = ${notification_id}
      and users.email_verified
      and users.deleted_at is null
      and (
        preferences.user_id is null
        or (
          preferences.email_enabled
          and (
            notification.type = any(preferences.types) and notification.type = any(preferences.email_types)
            -- The type is newer than what the user chose.
            or notification.type <> all(preferences.known_types)
          )
        )
      )
  `
  return notification && (await hasAccess(notification)) ? notification : undefined
}

/** Whether the user may still know what a notification is about. */
async function hasAccess({ user_id, organization_id, workspace_id }: MailedNotification): Promise<boolean> {
  const [access] = await sql`
    select 1
    from organizations
    where id = ${organization_id}
      and deleted_at is null
      and exists (
        select 1
        from organization_members as member
        where member.organization_id = ${organization_id}
          and member.user_id = ${user_id}
          and (
            member.role in ('owner', 'admin')
            or ${workspace_id}::uuid is null
            or exists (
              select 1
              from workspace_members as inside
              where inside.workspace_id = ${workspace_id}
                and inside.organization_id = ${organization_id}
                and inside.user_id = ${user_id}
            )
          )
      )
  `
  return access !== undefined
}

/** What the user can do next, by type. */
const NEXT: Partial<Record<MailedType, string>> = {
  gate_pending: 'Approve or reject it.',
  changes_requested: 'Make the changes, and open another gate.',
  gate_overridden:
    'Read the reason. Another owner or admin of the organization than the one who overrode the gate has to review it.',
  execution_failed: 'Check what went wrong, and create another execution of the requirement.',
  deployment_failed: 'See what went wrong, and redeliver it or roll back.',
  budget_alert: 'See where the money went, and raise the limit if needed.',
}

/** The label of the button that leads to what the notification is about. */
const ACTIONS: Record<MailedType, string> = {
  gate_pending: 'View the gate',
  changes_requested: 'View the gate',
  gate_overridden: 'View the gate',
  execution_completed: 'View the execution',
  execution_failed: 'View the execution',
  budget_alert: 'View the budget',
  member_added: 'View the organization',
  deployment_failed: 'View the dispatch',
}

const ACCENTS: Record<MailedType, string> = {
  gate_pending: '#d08700',
  changes_requested: '#d08700',
  gate_overridden: '#c0392b',
  execution_completed: '#2e8540',
  execution_failed: '#c0392b',
  budget_alert: '#d08700',
  member_added: '#3b6fb6',
  deployment_failed: '#c0392b',
}

/** Where the button of a mail leads. */
interface Target {
  url: string | null
  /** The label of the button. */
  action: string
  /** What the recipient must know about the link. */
  caution: string | null
}

/** The link of the mail about a gate lets its recipient decide, if the gate can be decided by mail. */
async function targetOf(notification: MailedNotification, isQuestion: boolean): Promise<Target> {
  const { type, resource_id } = notification
  const link = isQuestion ? await createDecisionLink(resource_id, notification) : null
  if (!link) return { url: notificationUrl(notification), action: ACTIONS[type], caution: null }
  return {
    url: link.url,
    action: 'Approve or reject',
    caution: `The link decides once, as you and without signing in, until ${secondText(link.expires_at)}. Do not forward this mail.`,
  }
}

const why = ({ type }: MailedNotification): string => `You receive mails of the type ${type}: ${NOTIFICATION_TYPES[type]}`

function html(
  notification: MailedNotification,
  question: AskedInMail | null,
  { url, action, caution }: Target,
  unsubscribeUrl: string,
): string {
  const { name, type, title, body } = notification
  const next = NEXT[type]
  return mailHtml(title, title, ACCENTS[type], [
    paragraph(`Hello ${name},`),
    ...body.split('\n\n').map(paragraph),
    question && question.facts.length > 0 && table(question.facts),
    question?.consequences.map(paragraph),
    next && nextStep(next),
    url && button(url, action),
    caution && aside(caution),
    // Below the button, which a phone shows without scrolling far.
    question?.criteria && paragraph(`Acceptance criteria:\n${question.criteria}`),
    aside(why(notification), ' ', link(unsubscribeUrl, 'Unsubscribe')),
  ])
}

const textsOf = ({ about, facts, consequences, criteria }: AskedInMail): (string | null)[] => [
  about,
  ...facts.flatMap(({ name, link }) => (link ? `${name}: ${link.url}` : [])),
  ...consequences,
  criteria && `Acceptance criteria:\n${criteria}`,
]

function text(
  notification: MailedNotification,
  question: AskedInMail | null,
  { url, action, caution }: Target,
  unsubscribeUrl: string,
): string {
  const { name, type, title, body } = notification
  const next = NEXT[type]
  const footer = `--\n${why(notification)} Unsubscribe:\n${unsubscribeUrl}`
  const parts = [
    `Hello ${name},`,
    title,
    body,
    ...(question ? textsOf(question) : []),
    next && `Next: ${next}`,
    url && `${action}:\n${url}`,
    caution,
    footer,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** Sends the mail of a notification. Its Message-ID is the same in every attempt, so that mail servers can detect duplicates. */
export async function mailNotification(notification_id: string): Promise<void> {
  const found = await readNotification(notification_id)
  if (!found) return
  const isWithheld = (await whoLacksFactor(sql, [found]))(found)
  const isQuestion = found.type === 'gate_pending' && !isWithheld
  const question = isQuestion ? await questionOf(found.organization_id, found.resource_id) : null
  const { title, body } = isWithheld ? withheldText(found.organization_name) : found
  const notification = { ...found, name: unlinked(line(found.name, 120)), title: unlinked(title), body: unlinked(body) }
  const token = unsubscribeToken(notification.user_id, notification.type)
  const unsubscribeUrl = `${config.PUBLIC_URL}/unsubscribe?token=${token}`
  const target = await targetOf(notification, isQuestion)
  await sendMail({
    to: { name: notification.name, address: notification.email },
    subject: notification.title,
    text: text(notification, question, target, unsubscribeUrl),
    html: html(notification, question, target, unsubscribeUrl),
    messageId: `<${notification_id}@${new URL(config.PUBLIC_URL).hostname}>`,
    // RFC 8058: the mail program posts to the link, without signing in.
    headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
}
