/** mail_password_reset: mails the link to set a new password. The token is generated here, so that no job payload contains it. */
import { createHash, randomBytes } from 'node:crypto'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { linkMail } from './link-mail.ts'
import { sendMail } from './transport.ts'

interface PasswordReset {
  user_id: string
  email: string
  device: string
  ip_address: string
  is_new: boolean
}

/** Mails a new link to the user with the address of the request. Earlier links become invalid. Deletes the request if no user has it. */
export async function mailPasswordReset(reset_id: string): Promise<void> {
  const [reset] = await sql<PasswordReset[]>`
    select users.id as user_id, users.email, reset.device, reset.ip_address, reset.hash is null as is_new
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
  const token = randomBytes(32).toString('base64url')
  const isCurrent = await transaction(async (tx) => {
    const updated = await tx`
      update password_resets
      set user_id = ${reset.user_id}, hash = ${createHash('sha256').update(token).digest()}, expires_at = now() + interval '1 hour'
      where id = ${reset_id}
    `
    if (updated.count === 0) return false
    await tx`delete from password_resets where user_id = ${reset.user_id} and id <> ${reset_id}`
    if (reset.is_new) {
      const detail = 'A link to set a new password was requested.'
      await recordSecurityEvent(tx, reset.user_id, reset, 'password.reset_requested', detail)
    }
    return true
  })
  if (!isCurrent) return // replaced by a newer request
  await sendMail({
    // Without a name: if the address is not verified, it may belong to someone else than the user who chose the name.
    to: { name: '', address: reset.email },
    ...linkMail({
      subject: 'Set a new password',
      why: 'A new password was requested for your Signalbox account. If that was you, open this link within an hour:',
      url: `${config.PUBLIC_URL}/reset-password?token=${token}`,
      action: 'Set a new password',
      otherwise: 'If it was not you, ignore this mail. Your password stays unchanged.',
    }),
  })
}
