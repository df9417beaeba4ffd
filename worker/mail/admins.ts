/** Mail to the admins of a workspace. */
import { config } from '../../core/config.ts'
import { sql } from '../../core/database.ts'
import { line } from '../../core/plain-text.ts'
import { workspaceAdmins } from '../../core/workspace-admins.ts'
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

/**
 * Mails everybody who is an admin of the workspace and has a proven address.
 *
 * @throws the first failure, once all were tried: who got the mail already may get it again, under the same Message-ID
 */
export async function mailAdmins({ organization_id, workspace_id, key, subject, text }: Notice): Promise<void> {
  const admins = await sql<{ id: string; name: string; email: string }[]>`
    select users.id, users.name, users.email
    from (values (${organization_id}::uuid, ${workspace_id}::uuid)) as place (organization_id, workspace_id)
    cross join lateral (${workspaceAdmins}) as admin
    join users on users.id = admin.user_id
    where users.email_verified
  `
  const sent = await Promise.allSettled(
    admins.map(({ id, name, email }) =>
      sendMail({
        to: { name, address: email },
        subject,
        text: `Hello ${line(name, 120)},\n\n${text}`,
        messageId: `<${key}.${id}@${new URL(config.PUBLIC_URL).hostname}>`,
      }),
    ),
  )
  for (const each of sent) if (each.status === 'rejected') throw each.reason
}
