/** Mail to the admins of a workspace. */

import { mailEach } from '../../core/jobs/notification-mails.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { whoLacksFactor, withheldText } from '../../core/notifications/withheld.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { line } from '../../core/values/plain-text.ts'
import { workspaceAdmins } from '../notifications/workspace-admins.ts'
import { button, mailHtml, paragraph } from './html.tsx'
import { sendMail } from './transport.ts'

/** The color of what is broken. */
const ACCENT = '#c0392b'

interface AdminNotice {
  organization_id: string
  workspace_id: string
  /** Identifies the notice, also in retries. */
  key: string
  subject: string
  /** Paragraphs; the address of the page, and others, on lines of their own. */
  text: string
  /** Of the page of what it is about. */
  url: string
  /** The label of the button that leads there. */
  action: string
}

/** The notice as HTML, with a button instead of the address of the page. */
function htmlOf({ subject, text, url, action }: AdminNotice, name: string): string {
  const parts = text.split('\n\n').flatMap((each) => {
    const words = each.replace(url, '').trim()
    return [words !== '' && paragraph(words), each.includes(url) && button(url, action)]
  })
  return mailHtml(subject, subject, ACCENT, [paragraph(`Hello ${name},`), ...parts])
}

/** The admins of the workspace with a verified address; only one of them if `user_id` is given. */
const adminsOf = ({ organization_id, workspace_id }: AdminNotice, user_id: string | null) => sql<
  { id: string; name: string; email: string; organization_name: string }[]
>`
  select
    people.id, people.name, people.email,
    (select name from organizations where id = ${organization_id}) as organization_name
  from (values (${organization_id}::uuid, ${workspace_id}::uuid)) as scope (organization_id, workspace_id)
  cross join lateral (${workspaceAdmins}) as admin
  join people on people.id = admin.user_id
  where people.email_verified
    and (${user_id}::uuid is null or people.id = ${user_id})
`

/** The notice for an admin, without its content if they lack the second factor that the organization requires. */
async function noticeFor(
  { id, organization_name }: { id: string; organization_name: string },
  notice: AdminNotice,
): Promise<AdminNotice> {
  const told = { user_id: id, organization_id: notice.organization_id }
  if (!(await whoLacksFactor(sql, [told]))(told)) return notice
  const { title, body } = withheldText(organization_name)
  return { ...notice, subject: title, text: `${body}\n\n${notice.url}\n` }
}

/**
 * Mails the admins of a workspace. The first job adds a job for each admin, so that each mail is retried separately.
 *
 * @param job the task of the current job, and its payload; if that has a `user_id`, the mail to that user is sent
 */
export async function mailAdmins<Task extends 'mail_hook_disabled' | 'mail_channel_disabled'>(
  notice: AdminNotice,
  { task, payload }: { task: Task; payload: Tasks[Task] },
): Promise<void> {
  const admins = await adminsOf(notice, payload.user_id ?? null)
  const { key } = notice
  if (payload.user_id === undefined) {
    const user_ids = admins.map(({ id }) => id)
    await mailEach(sql, task, payload, `${task}:${key}`, user_ids)
    return
  }
  const [admin] = admins
  if (!admin) return // no longer an admin
  const shown = await noticeFor(admin, notice)
  const name = line(admin.name, 120)
  await sendMail({
    to: { name: admin.name, address: admin.email },
    subject: shown.subject,
    text: `Hello ${name},\n\n${shown.text}`,
    html: htmlOf(shown, name),
    messageId: `<${key}.${admin.id}@${new URL(config.PUBLIC_URL).hostname}>`,
  })
}
