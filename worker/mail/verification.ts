/**
 * mail_verification: mails the link that verifies the address of a new account, or a changed one. The token is generated here, so
 * that no job payload contains it.
 */

import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { newToken, tokenHash } from '../../core/security/tokens.ts'
import { PLACEHOLDER_DOMAINS } from '../../core/values/email-addresses.ts'
import { secondText } from '../../core/values/instants-text.ts'
import { linkMail } from './link-mail.ts'
import { sendMail } from './transport.ts'

/** Mails a new link to the user's unverified address: the changed one, if any. Earlier links become invalid. */
export async function mailVerification(user_id: string): Promise<void> {
  const [user] = await sql<{ email: string; changes: boolean }[]>`
    select coalesce(pending_email, email) as email, pending_email is not null as changes
    from users
    where id = ${user_id}
      and deleted_at is null
      and (pending_email is not null or (not email_verified and email not like ${`%@${PLACEHOLDER_DOMAINS.replaced}`}))
  `
  if (!user) return // deleted, replaced or verified meanwhile
  const why = user.changes ? 'was set as the new address of a Signalbox account' : 'was used to create a Signalbox account'
  const token = newToken()
  const expires_at = await transaction(async (tx) => {
    await tx`delete from email_verifications where user_id = ${user_id}`
    const [link] = await tx<[{ expires_at: string }]>`
      insert into email_verifications (hash, user_id, email, expires_at)
      values (${tokenHash(token)}, ${user_id}, ${user.email}, now() + interval '24 hours')
      returning expires_at
    `
    return link.expires_at
  })
  await sendMail({
    // Without a name: until the address is verified, it may belong to someone else than the user who chose the name.
    to: { name: '', address: user.email },
    ...linkMail({
      subject: 'Verify your e-mail address',
      why: `This address ${why}. If that was you, open this link before ${secondText(expires_at)}:`,
      url: `${config.PUBLIC_URL}/verify-email?token=${token}`,
      action: 'Verify address',
      otherwise: 'If it was not you, ignore this mail. Your address cannot be used without the link.',
    }),
  })
}
