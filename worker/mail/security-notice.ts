/** mail_security_notice: mails users about security-relevant changes of their account. */
import { accountUrl } from '../../core/links.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { line } from '../../core/values/plain-text.ts'
import { sendMail } from './transport.ts'

interface SecurityNotice {
  name: string
  email: string
  detail: string
  device: string | null
  ip_address: string | null
  created_at: string
}

/** Mails an entry of the security log to the address that the account had at that time, if it was verified. */
export async function mailSecurityNotice(entry_id: string): Promise<void> {
  const [entry] = await sql<SecurityNotice[]>`
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

Time: ${entry.created_at}
IP address: ${entry.ip_address ?? 'unknown'}
Device: ${line(entry.device ?? 'unknown', 200)}

If that was you, you do not need to do anything. If it was not, set a new password now:

${config.PUBLIC_URL}/reset-password

Your sessions and tokens:

${accountUrl()}
`,
  })
}
