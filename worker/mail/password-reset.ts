/** mail_password_reset: the link that lets a new password be set. Its token is made here, so that no job ever holds it. */
import { createHash, randomBytes } from 'node:crypto'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { note } from '../../core/security/security-log.ts'
import { linkMail } from './link-mail.ts'
import { sendMail } from './transport.ts'

interface Wish {
  user_id: string
  email: string
  device: string
  ip_address: string
  is_new: boolean
}

/** Mails a fresh link to whoever has the address that a wish names; the links before it die. Nobody: the wish is forgotten. */
export async function mailPasswordReset(reset_id: string): Promise<void> {
  const [wish] = await sql<Wish[]>`
    select users.id as user_id, users.email, reset.device, reset.ip_address, reset.hash is null as is_new
    from password_resets as reset
    join users
      on users.email = reset.email
      and users.deleted_at is null
    where reset.id = ${reset_id}
      and reset.expires_at > now()
  `
  if (!wish) {
    await sql`delete from password_resets where id = ${reset_id}`
    return
  }
  const token = randomBytes(32).toString('base64url')
  const kept = await transaction(async (tx) => {
    const filled = await tx`
      update password_resets
      set user_id = ${wish.user_id}, hash = ${createHash('sha256').update(token).digest()}, expires_at = now() + interval '1 hour'
      where id = ${reset_id}
    `
    if (filled.count === 0) return false
    await tx`delete from password_resets where user_id = ${wish.user_id} and id <> ${reset_id}`
    if (wish.is_new) {
      await note(tx, wish.user_id, wish, 'password.reset_requested', 'A link that sets a new password was asked for.')
    }
    return true
  })
  if (!kept) return // a newer wish took its place
  await sendMail({
    // Not by name: the address may not be proven, and then whoever made the account chose what a stranger reads.
    to: { name: '', address: wish.email },
    ...linkMail({
      subject: 'Set a new password',
      why: 'Somebody asked for a new password for your account at Signalbox. If that was you, open this link within an hour:',
      url: `${config.PUBLIC_URL}/reset-password?token=${token}`,
      action: 'Set a new password',
      otherwise: 'If it was not you, do nothing: your password stays as it is.',
    }),
  })
}
