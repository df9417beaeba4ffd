/** Password resets: the owner of the mailbox sets a new password with a mailed link, which ends all other access. */

import type { Visitor } from '../../core/actors.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { notifyInvited } from '../../core/notifications/notify.ts'
import { transaction } from '../../core/platform/database.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'
import { endAllAccess, endedAccess } from './all-access.ts'
import { clearWrongPasswords } from './password-attempts.ts'
import { removeFactorsSince } from './second-factors.ts'

/**
 * Queues a password reset. The worker looks up the account, so that neither the response nor its timing reveals whether
 * the address is registered. It also limits the mails, silently: a stranger who asks for many must not lock the owner out.
 */
export async function requestPasswordReset(email: string, visitor: Visitor): Promise<void> {
  await transaction((tx) => queuePasswordReset(tx, email, visitor))
}

/** Queues the mail with a link to set a new password. */
export async function queuePasswordReset(tx: Tx, email: string, visitor: Visitor): Promise<void> {
  const [{ id }] = await tx<[{ id: string }]>`
    insert into password_resets (email, device, ip_address)
    values (${email}, ${visitor.device}, ${visitor.ip_address})
    returning id
  `
  await addJob(tx, 'mail_password_reset', { reset_id: id })
}

function removedFactors(count: number): string {
  if (count === 0) return ''
  return ` ${count === 1 ? '1 second factor was' : `${count} second factors were`} removed, because the address had never been verified.`
}

const invalidLink = () => invalidField('/token', 'invalid_token', 'is invalid, used, or older than an hour; request a new link')

/**
 * Rejects an invalid link before the new password is hashed, which is expensive.
 *
 * @throws Problem 422
 */
export async function requireValidResetLink(db: Queryable, token: string): Promise<void> {
  const [valid] = await db`select from password_resets where hash = ${tokenHash(token)} and expires_at > now()`
  if (!valid) throw invalidLink()
}

/**
 * Sets a new password with the token of a mailed link, which works once. Ends everything else that the account
 * can be used by, with a pending address and other links. Second factors stay, and for 7 days no mailed link removes them; but those of an
 * account whose address was never verified go: another person may have registered it, and could sign in with a passkey. Links that take
 * back a change of address stay: the thief of a mailbox could use this one.
 *
 * @throws Problem 422 if the token is invalid, used or expired, or the account has another address now
 */
export async function resetPassword(tx: Tx, token: string, password_hash: string, visitor: Visitor): Promise<void> {
  const [reset] = await tx<{ user_id: string; email: string }[]>`
    delete from password_resets
    where hash = ${tokenHash(token)}
      and expires_at > now()
    returning user_id, email
  `
  if (!reset) throw invalidLink()
  const [user] = await tx<{ email_verified: boolean }[]>`
    select email_verified from users where id = ${reset.user_id} and email = ${reset.email} for no key update
  `
  if (!user) throw invalidLink()
  const removed = user.email_verified ? 0 : await removeFactorsSince(tx, reset.user_id, '-infinity')
  const [{ second_factors }] = await tx<[{ second_factors: number }]>`
    update users
    set password_hash = ${password_hash}, email_verified = true, pending_email = null, password_reset_at = now()
    where id = ${reset.user_id}
    returning second_factors
  `
  await notifyInvited(tx, reset.user_id)
  const tokens = await endAllAccess(tx, reset.user_id)
  await tx`delete from email_verifications where user_id = ${reset.user_id}`
  await tx`delete from password_resets where user_id = ${reset.user_id}`
  const detail = `The password was reset with a mailed link: ${endedAccess(tokens)}${removedFactors(removed)}`
  const entry_id = await recordSecurityEvent(tx, reset.user_id, visitor, 'password.reset', detail)
  await addJob(tx, 'mail_security_notice', { entry_id })
  // Wrong second factors are in the same count, and resets must not give a thief of the mailbox more of them.
  if (second_factors === 0) await clearWrongPasswords(tx, reset.email, visitor)
}
