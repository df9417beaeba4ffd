/** mail_verification: the link that proves an address, be it that of a new account or a changed one. Its token is made here, so that no job ever holds it. */
import { createHash, randomBytes } from 'node:crypto'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { PLACEHOLDER_DOMAINS } from '../../core/values/email-addresses.ts'
import { linkMail } from './link-mail.ts'
import { sendMail } from './transport.ts'

/** Mails a fresh link to the address of a user that is not proven, a changed one first; the links before it die. */
export async function mailVerification(user_id: string): Promise<void> {
  const [user] = await sql<{ email: string; changes: boolean }[]>`
    select coalesce(pending_email, email) as email, pending_email is not null as changes
    from users
    where id = ${user_id}
      and deleted_at is null
      and (pending_email is not null or (not email_verified and email not like ${`%@${PLACEHOLDER_DOMAINS.replaced}`}))
  `
  if (!user) return // deleted, replaced, or proven since
  const why = user.changes ? 'is to become that of your account at Signalbox' : 'was used to make an account at Signalbox'
  const token = randomBytes(32).toString('base64url')
  await transaction(async (tx) => {
    await tx`delete from email_verifications where user_id = ${user_id}`
    await tx`
      insert into email_verifications (hash, user_id, email, expires_at)
      values (${createHash('sha256').update(token).digest()}, ${user_id}, ${user.email}, now() + interval '24 hours')
    `
  })
  await sendMail({
    // Not by name: until the address is proven, whoever made the account may have put anything there, for a stranger to read.
    to: { name: '', address: user.email },
    ...linkMail({
      subject: 'Prove your e-mail address',
      why: `This address ${why}. If that was you, open this link within 24 hours:`,
      url: `${config.PUBLIC_URL}/verify-email?token=${token}`,
      action: 'Prove the address',
      otherwise: 'If it was not you, do nothing: without the link nobody can use your address.',
    }),
  })
}
