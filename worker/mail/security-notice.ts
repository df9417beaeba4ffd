/** mail_security_notice: tells users of a change that they had better have made themselves. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { line } from '../../core/values/plain-text.ts'
import { sendMail } from './transport.ts'

interface Notice {
  name: string
  email: string
  detail: string
  device: string | null
  ip_address: string | null
  created_at: string
}

/** Mails an entry of the security log to the address that the account had when it was written, if that was proven. */
export async function mailSecurityNotice(entry_id: string): Promise<void> {
  const [entry] = await sql<Notice[]>`
    select users.name, entry.email, entry.detail, entry.device, entry.ip_address, entry.created_at
    from security_log_entries as entry
    join users on users.id = entry.user_id
    where entry.id = ${entry_id}
      and users.email_verified
  `
  if (!entry) return
  await sendMail({
    to: { name: entry.name, address: entry.email },
    subject: 'Your account was changed',
    text: `Hello ${line(entry.name, 120)},

${line(entry.detail, 500)}

When: ${entry.created_at}
Where from: ${entry.ip_address ?? 'unknown'}
With: ${line(entry.device ?? 'unknown', 200)}

If that was you, there is nothing to do. If it was not, set a new password at once:

${config.PUBLIC_URL}/reset-password
`,
  })
}
