/** Password resets: a mailed link lets whoever holds the mailbox set a new password, and shuts everybody else out. */

import type { Visitor } from '../../core/actors.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { notifyInvited } from '../../core/notifications/notify.ts'
import { transaction } from '../../core/platform/database.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { clearPasswordFailures, limitMailedLinks } from '../plugins/rate-limit.ts'
import { invalidField } from '../problems.ts'
import { tokenHash } from './hashes.ts'
import { revokeAllAccess } from './sessions.ts'

/**
 * Notes the wish. Whether anybody has the address is for the worker to find out: what happens here, and how long it
 * takes, tells nothing.
 *
 * @throws Problem `rate_limited`
 */
export async function requestPasswordReset(email: string, visitor: Visitor): Promise<void> {
  limitMailedLinks(email)
  await transaction(async (tx) => {
    const [{ id }] = await tx<[{ id: string }]>`
      insert into password_resets (email, device, ip_address)
      values (${email}, ${visitor.device}, ${visitor.ip_address})
      returning id
    `
    await addJob(tx, 'mail_password_reset', { reset_id: id })
  })
}

const deadLink = () => invalidField('/token', 'invalid_token', 'is unknown, used, or older than an hour; ask for a new link')

/**
 * Refuses a dead link before a hash is made for it, which costs far more than this look.
 *
 * @throws Problem 422
 */
export async function requireValidResetLink(db: Queryable, token: string): Promise<void> {
  const [live] = await db`select from password_resets where hash = ${tokenHash(token)} and expires_at > now()`
  if (!live) throw deadLink()
}

/**
 * Sets a new password with the token of a mailed link, which works once. Whatever somebody else may have left in the
 * account goes: sessions, personal tokens, an address that waits, other links.
 *
 * @throws Problem 422 where the token is unknown, used or too old, or the address is not the account's any more
 */
export async function resetPassword(tx: Tx, token: string, password_hash: string, visitor: Visitor): Promise<void> {
  const [reset] = await tx<{ user_id: string; email: string }[]>`
    delete from password_resets
    where hash = ${tokenHash(token)}
      and expires_at > now()
    returning user_id, email
  `
  if (!reset) throw deadLink()
  const changed = await tx`
    update users
    set password_hash = ${password_hash}, email_verified = true, pending_email = null
    where id = ${reset.user_id}
      and email = ${reset.email}
  `
  if (changed.count === 0) throw deadLink()
  await notifyInvited(tx, reset.user_id)
  const revoked = await revokeAllAccess(tx, reset.user_id)
  await tx`delete from email_verifications where user_id = ${reset.user_id}`
  await tx`delete from password_resets where user_id = ${reset.user_id}`
  const tokens = revoked === 1 ? '1 personal token was' : `${revoked} personal tokens were`
  const detail = `The password was reset with a mailed link: all sessions ended, and ${tokens} revoked.`
  const entry_id = await recordSecurityEvent(tx, reset.user_id, visitor, 'password.reset', detail)
  await addJob(tx, 'mail_security_notice', { entry_id })
  clearPasswordFailures(reset.email)
}
