/** mail_password_reset: mails the link to set a new password. The token is generated here, so that no job payload contains it. */

import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { newToken, tokenHash } from '../../core/security/tokens.ts'
import { secondText } from '../../core/values/instants-text.ts'
import type { Tx } from '../../sql/index.ts'
import { linkMail } from './link-mail.ts'
import { sendMail } from './transport.ts'

interface PasswordReset {
  id: string
  user_id: string
  email: string
  device: string
  ip_address: string
  is_new: boolean
}

/** Mails that an account gets. Who asks for more gets none: the earlier ones are valid for an hour. */
const MAILS: Quota = { most: 5, seconds: 3600 }

/** Mails a link to the user with the address of the request. Earlier links stay valid. Deletes the request if it leads to no mail. */
export async function mailPasswordReset(reset_id: string): Promise<void> {
  const [reset] = await sql<PasswordReset[]>`
    select reset.id, users.id as user_id, users.email, reset.device, reset.ip_address, reset.user_id is null as is_new
    from password_resets as reset
    join users
      on users.email = reset.email
      and users.deleted_at is null
    where reset.id = ${reset_id}
      and reset.expires_at > now()
  `
  if (!reset) {
    await sql`delete from password_resets where id = ${reset_id}`
    return
  }
  const token = newToken()
  const link = await transaction((tx) => addLink(tx, reset, token))
  if (!link) return
  await sendMail({
    // Without a name: if the address is not verified, it may belong to someone else than the user who chose the name.
    to: { name: '', address: reset.email },
    ...linkMail({
      subject: 'Set a new password',
      why: `A new password was requested for your Signalbox account. If that was you, open this link before ${secondText(link.expires_at)}:`,
      url: `${config.PUBLIC_URL}/reset-password?token=${token}`,
      action: 'Set a new password',
      otherwise: 'If it was not you, ignore this mail. Your password stays unchanged.',
    }),
  })
}

/**
 * Adds a link for a request. A repetition of the job adds another one, since the mail with the first may have arrived.
 *
 * @returns null if the account gets no more mails, or the request was deleted meanwhile
 */
async function addLink(tx: Tx, reset: PasswordReset, token: string): Promise<{ expires_at: string } | null> {
  const { id, user_id, email, device, ip_address } = reset
  if (reset.is_new && !(await countMail(tx, reset))) {
    await tx`delete from password_resets where id = ${id}`
    return null
  }
  const updated = await tx`update password_resets set user_id = ${user_id} where id = ${id}`
  if (updated.count === 0) return null
  const [link] = await tx<[{ expires_at: string }]>`
    insert into password_resets (email, user_id, hash, device, ip_address)
    values (${email}, ${user_id}, ${tokenHash(token)}, ${device}, ${ip_address})
    returning expires_at
  `
  if (reset.is_new) {
    await recordSecurityEvent(tx, user_id, reset, 'password.reset_requested', 'A link to set a new password was requested.')
  }
  return link
}

/** Counts a mail for the account and its address. @returns whether it may be sent */
const countMail = async (tx: Tx, { user_id, email }: PasswordReset): Promise<boolean> =>
  config.RATE_LIMIT === 0 || (await useQuota(tx, `password reset: ${user_id} ${email}`, MAILS)) === null
