/** mail_notification: a notification by e-mail, to who wants it so at the moment when it is sent. */
import { config } from '../../core/config.ts'
import { sql } from '../../core/database.ts'
import { log } from '../../core/log.ts'
import { NOTIFICATION_TYPES, type NotificationType } from '../../core/notification-types.ts'
import { unsubscribeToken } from '../../core/unsubscribing.ts'
import { sendMail } from './transport.ts'

interface Told {
  user_id: string
  name: string
  email: string
  type: NotificationType
  title: string
  body: string
  organization_name: string
}

/** Who has lost access since, has no proven address, or does not want the mail any more, gets none. */
async function whoIsTold(notification_id: string): Promise<Told | undefined> {
  const [told] = await sql<Told[]>`
    select
      notification.user_id, users.name, users.email, notification.type, notification.title, notification.body,
      organization.name as organization_name
    from notifications as notification
    join users on users.id = notification.user_id
    join organizations as organization
      on organization.id = notification.organization_id
      and organization.deleted_at is null
    left join notification_preferences as preferences on preferences.user_id = users.id
    left join organization_members as member
      on member.organization_id = notification.organization_id
      and member.user_id = users.id
    left join workspace_members as inside
      on inside.workspace_id = notification.workspace_id
      and inside.user_id = users.id
    where notification.id = ${notification_id}
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
        notification.type = 'invitation_received'
        or member.role in ('owner', 'admin')
        or (member.user_id is not null and (notification.workspace_id is null or inside.user_id is not null))
      )
  `
  return told
}

/** A refusal for good, in the numbers of SMTP: asking again would be refused again. */
const isFinal = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const html = ({ title, body, name, type }: Told, link: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#eef2f6;font:16px/1.5 system-ui,sans-serif;color:#14202b">
<div style="max-width:32rem;margin:0 auto;padding:24px;background:#fff;border-radius:12px">
<p style="margin:0 0 16px">Hello ${escapeHtml(name)},</p>
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>
${body
  .split('\n\n')
  .map((part) => `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(part)}</p>`)
  .join('\n')}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #d8dee4;font-size:13px;color:#5c6b7a">
You get mails of the type ${type}: ${escapeHtml(NOTIFICATION_TYPES[type])} <a href="${escapeHtml(link)}" style="color:#0b5cad">Stop them</a>
</p>
</div>
</body>
</html>
`

const text = ({ title, body, name, type }: Told, link: string): string => `Hello ${name},

${title}

${body}

--
You get mails of the type ${type}: ${NOTIFICATION_TYPES[type]} Stop them:
${link}
`

/** Sends the mail of a notification. Its Message-ID is the same in every try, so that a repeat can be told from a second one. */
export async function mailNotification(notification_id: string): Promise<void> {
  const told = await whoIsTold(notification_id)
  if (!told) return
  const link = `${config.PUBLIC_URL}/unsubscribe?token=${unsubscribeToken(told.user_id, told.type)}`
  try {
    await sendMail({
      to: { name: told.name, address: told.email },
      subject: told.title,
      text: text(told, link),
      html: html(told, link),
      messageId: `<${notification_id}@${new URL(config.PUBLIC_URL).hostname}>`,
      // RFC 8058: the mail program posts to the link, and nobody needs to sign in.
      headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    })
  } catch (error) {
    if (!isFinal(error)) throw error
    log.warn({ error, notification_id }, 'the mail server refused a notification for good')
  }
}
