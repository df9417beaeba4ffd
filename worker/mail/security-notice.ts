/** mail_security_notice: mails users about security-relevant changes of their account. */
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import type { SecurityAction } from '../../core/security/security-log.ts'
import { newToken, tokenHash } from '../../core/security/tokens.ts'
import { accountUrl } from '../../core/tenants/links.ts'
import { secondText } from '../../core/values/instants.ts'
import { line } from '../../core/values/plain-text.ts'
import { sendMail } from './transport.ts'

interface SecurityNotice {
  id: string
  user_id: string
  name: string
  email: string
  action: string
  detail: string
  device: string | null
  ip_address: string | null
  created_at: string
}

/** Changes that the address which the account had can take back. */
const REVERSIBLE = new Set<string>(['email.change_requested', 'email.changed'] satisfies SecurityAction[])

/** Mails an entry of the security log to the address that the account had at that time, if it was verified. */
export async function mailSecurityNotice(entry_id: string): Promise<void> {
  const [entry] = await sql<SecurityNotice[]>`
    select
      entry.id, entry.user_id, users.name, entry.email, entry.action, entry.detail, entry.device, entry.ip_address,
      entry.created_at
    from security_log_entries as entry
    join users on users.id = entry.user_id
    where entry.id = ${entry_id}
      and users.email_verified
  `
  if (!entry) return
  const advice = await adviceOn(entry)
  await sendMail({
    to: { name: entry.name, address: entry.email },
    subject: 'Your account was changed',
    text: `Hello ${line(entry.name, 120)},

${line(entry.detail, 500)}

Time: ${entry.created_at}
IP address: ${entry.ip_address ?? 'unknown'}
Device: ${line(entry.device ?? 'unknown', 200)}

${advice}

Your sessions and tokens:

${accountUrl()}
`,
  })
}

async function adviceOn(entry: SecurityNotice): Promise<string> {
  const { action } = entry
  if (action === ('second_factor.reset_requested' satisfies SecurityAction))
    return factorResetAdvice(await createFactorReset(entry))
  const reversal = REVERSIBLE.has(action) ? await createReversal(entry) : null
  return `If that was you, you do not need to do anything. If it was not, ${reversal ? reversalAdvice(reversal) : resetAdvice()}`
}

const factorResetAdvice = ({ url, expires_at }: MailedLink): string => `If you lost them, open this link before
${secondText(expires_at)} and type your password. Your second factors and recovery codes are removed, and you sign in with your
password alone:

${url}

The person who opens the link needs your password as well, and one that was reset by mail is accepted only after 7 days.

If you did not ask for this, do nothing: your second factors stay. Then leave that organization, unless you trust its owner.
If someone else may read your mail, secure your mailbox.`

async function createFactorReset({ user_id, email }: SecurityNotice): Promise<MailedLink> {
  const token = newToken()
  const [{ expires_at }] = await sql<[{ expires_at: string }]>`
    insert into second_factor_resets (hash, user_id, email, expires_at)
    values (${tokenHash(token)}, ${user_id}, ${email}, now() + interval '24 hours')
    returning expires_at
  `
  return { url: `${config.PUBLIC_URL}/reset-second-factors?token=${token}`, expires_at }
}

const resetAdvice = (): string => `set a new password now:

${config.PUBLIC_URL}/reset-password`

type MailedLink = { url: string; expires_at: string }

const reversalAdvice = ({ url, expires_at }: MailedLink): string => `take the change back with this link before
${secondText(expires_at)}. The account gets this address again, and all its sessions end:

${url}

Then set a new password with the link that is mailed to you.`

/** Null if an earlier change was taken back, and this one with it. */
async function createReversal({ id, user_id, email }: SecurityNotice): Promise<MailedLink | null> {
  const token = newToken()
  const [created] = await transaction(async (tx) => {
    // Locked: a link that takes back an earlier change deletes the links about later ones, which must not get another one.
    await tx`select from users where id = ${user_id} for share`
    return tx<{ expires_at: string }[]>`
      insert into address_reversals (hash, user_id, entry_id, email, expires_at)
      select ${tokenHash(token)}, ${user_id}, ${id}, ${email}, now() + interval '72 hours'
      where not exists (
        select 1
        from security_log_entries as later
        where later.user_id = ${user_id}
          and later.id > ${id}
          and later.action = 'email.restored'
      )
      returning expires_at
    `
  })
  return created ? { url: `${config.PUBLIC_URL}/restore-email?token=${token}`, expires_at: created.expires_at } : null
}
