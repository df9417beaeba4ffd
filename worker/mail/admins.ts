/** Mail to the admins of a workspace. */

import { mailEach } from '../../core/jobs/notification-mails.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { line } from '../../core/values/plain-text.ts'
import { workspaceAdmins } from '../notifications/workspace-admins.ts'
import { sendMail } from './transport.ts'

/** What all of them are told. */
export interface Notice {
  organization_id: string
  workspace_id: string
  /** The same for every try of the same notice, and for no other. */
  key: string
  subject: string
  text: string
}

/** The users who are admins of the workspace and have a proven address; one of them alone where it is named. */
const adminsOf = ({ organization_id, workspace_id }: Notice, user_id: string | null) => sql<
  { id: string; name: string; email: string }[]
>`
  select users.id, users.name, users.email
  from (values (${organization_id}::uuid, ${workspace_id}::uuid)) as place (organization_id, workspace_id)
  cross join lateral (${workspaceAdmins}) as admin
  join users on users.id = admin.user_id
  where users.email_verified
    and (${user_id}::uuid is null or users.id = ${user_id})
`

/**
 * Mails the admins of a workspace, each by a job of its own: what one address is refused, or gets later, is nothing to
 * the others.
 *
 * @param job the task that this is part of, with its payload; the user whom it names is mailed
 */
export async function mailAdmins<Task extends 'mail_hook_disabled' | 'mail_channel_disabled'>(
  notice: Notice,
  { task, payload }: { task: Task; payload: Tasks[Task] },
): Promise<void> {
  const admins = await adminsOf(notice, payload.user_id ?? null)
  const { key, subject, text } = notice
  if (payload.user_id === undefined) {
    const user_ids = admins.map(({ id }) => id)
    await mailEach(sql, task, payload, `${task}:${key}`, user_ids)
    return
  }
  const [admin] = admins
  if (!admin) return // no admin any more
  await sendMail({
    to: { name: admin.name, address: admin.email },
    subject,
    text: `Hello ${line(admin.name, 120)},\n\n${text}`,
    messageId: `<${key}.${admin.id}@${new URL(config.PUBLIC_URL).hostname}>`,
  })
}
