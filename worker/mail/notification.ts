/** mail_notification: a notification by e-mail, to who wants it so at the moment when it is sent. */

import { isActiveOrganization } from '../../core/active-organizations.ts'
import { NOTIFICATION_TYPES, type NotificationType } from '../../core/notifications/types.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { unsubscribeToken } from '../../core/security/unsubscribe-token.ts'
import { line } from '../../core/values/plain-text.ts'
import { aside, escaped, link, mailHtml, nextStep, paragraph } from './html.ts'
import { sendMail } from './transport.ts'

interface Told {
  user_id: string
  name: string
  email: string
  type: NotificationType
  title: string
  body: string
  resource_id: string
}

/** Who has lost access since, or the invitation, has no proven address, or does not want the mail any more, gets none. */
async function whoIsTold(notification_id: string): Promise<Told | undefined> {
  const [told] = await sql<Told[]>`
    select
      notification.user_id, users.name, users.email, notification.type, notification.title, notification.body,
      notification.resource_id
    from notifications as notification
    join users on users.id = notification.user_id
    left join notification_preferences as preferences on preferences.user_id = users.id
    left join organization_members as member
      on member.organization_id = notification.organization_id
      and member.user_id = users.id
    left join workspace_members as inside
      on inside.workspace_id = notification.workspace_id
      and inside.organization_id = notification.organization_id
      and inside.user_id = users.id
    where notification.id = ${notification_id}
      and ${isActiveOrganization(sql`notification.organization_id`)}
      and users.email_verified
      and users.deleted_at is null
      and (
        preferences.user_id is null
        or (
          preferences.email_enabled
          and notification.type = any(preferences.types)
          and notification.type = any(preferences.email_types)
        )
      )
      and (
        exists (
          select
          from invitations
          where id = notification.resource_id
            and organization_id = notification.organization_id
            and notification.type = 'invitation_received'
            and status = 'pending'
            and expires_at > now()
        )
        or member.role in ('owner', 'admin')
        or (member.user_id is not null and (notification.workspace_id is null or inside.user_id is not null))
      )
  `
  return told
}

/** What its reader can do about it, where there is something. */
const NEXT: Partial<Record<NotificationType, (resource_id: string) => string>> = {
  gate_pending: (id) => `Approve or reject it: POST /api/v1/gates/${id}/approve or /reject.`,
  execution_failed: () => 'See what went wrong, and create another execution of its requirement.',
  budget_alert: () => 'See what it was spent on, and raise the limit if more is to come.',
  invitation_received: (id) => `Accept or decline it: POST /api/v1/users/me/invitations/${id}/accept or /decline.`,
}

const ACCENTS: Record<NotificationType, string> = {
  gate_pending: '#d08700',
  execution_completed: '#2e8540',
  execution_failed: '#c0392b',
  budget_alert: '#d08700',
  invitation_received: '#3b6fb6',
  member_added: '#3b6fb6',
}

const why = ({ type }: Told): string => `You get mails of the type ${type}: ${NOTIFICATION_TYPES[type]}`

function html(told: Told, next: string | undefined, stop: string): string {
  const greeting = `Hello ${told.name},`
  const paragraphs = told.body.split('\n\n').map(paragraph)
  return mailHtml(told.title, told.title, ACCENTS[told.type], [
    paragraph(greeting),
    ...paragraphs,
    next && nextStep(next),
    aside(`${escaped(why(told))} ${link(stop, 'Stop them')}`),
  ])
}

const text = (told: Told, next: string | undefined, stop: string): string =>
  `${[`Hello ${told.name},`, told.title, told.body, next && `Next: ${next}`, `--\n${why(told)} Stop them:\n${stop}`]
    .filter(Boolean)
    .join('\n\n')}\n`

/** Sends the mail of a notification. Its Message-ID is the same in every try, so that a repeat can be told from a second one. */
export async function mailNotification(notification_id: string): Promise<void> {
  const found = await whoIsTold(notification_id)
  if (!found) return
  const told = { ...found, name: line(found.name, 120) }
  const next = NEXT[told.type]?.(told.resource_id)
  const stop = `${config.PUBLIC_URL}/unsubscribe?token=${unsubscribeToken(told.user_id, told.type)}`
  await sendMail({
    to: { name: told.name, address: told.email },
    subject: told.title,
    text: text(told, next, stop),
    html: html(told, next, stop),
    messageId: `<${notification_id}@${new URL(config.PUBLIC_URL).hostname}>`,
    // RFC 8058: the mail program posts to the link, and nobody needs to sign in.
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
}
