/** Mailed links with which the owner of a mailbox takes an account back: with a new password, or with its former address. */

import { addJob } from '../../core/jobs/tasks.ts'
import { transaction } from '../../core/platform/database.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { isSignOnOnly, requireOwnSignIn } from '../credentials/own-sign-in.ts'
import { notifyInvited } from '../notifications/withdrawn.ts'
import { invalidField } from '../problems.ts'
import { keepBound, unlinkUser } from '../sso/bonds.ts'
import { releaseUnverifiedAddress } from './accounts.ts'
import { clearWrongPasswords } from './passwords.ts'
import { recordAndMail, removeFactorsSince } from './second-factors.ts'
import { endAllAccess, endedAccess } from './sessions.ts'

/**
 * Queues a password reset. The worker looks up the account, so that neither the response nor its timing reveals whether
 * the address is registered. It also limits the mails, silently: a stranger who asks for many must not lock the owner out.
 *
 * @throws Problem `sso_required`
 */
export async function requestPasswordReset(email: string, visitor: Visitor): Promise<void> {
  requireOwnSignIn()
  await transaction((tx) => queuePasswordReset(tx, email, visitor))
}

async function queuePasswordReset(tx: Tx, email: string, visitor: Visitor): Promise<void> {
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

/** Rejects an invalid link before the new password is hashed, which is expensive. @throws Problem 422; `sso_required` */
export async function requireValidResetLink(db: Queryable, token: string): Promise<void> {
  requireOwnSignIn()
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
  // A provider may have named another person with this address, who did not prove it either.
  if (!user.email_verified) await unlinkUser(tx, reset.user_id, '-infinity')
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
  await recordAndMail(tx, reset.user_id, visitor, 'password.reset', detail)
  // Wrong second factors are in the same count, and resets must not give a thief of the mailbox more of them.
  if (second_factors === 0) await clearWrongPasswords(tx, reset.email, visitor)
}

const invalidReversal = () => invalidField('/token', 'invalid_token', 'is invalid, used, or older than 72 hours')

/** When a change of address began: with the first that was requested at the former address, as far back as links work. */
async function changeBegan(tx: Tx, user_id: string, { email, entry_id }: { email: string; entry_id: string }): Promise<string> {
  const [{ began_at }] = await tx<[{ began_at: string }]>`
    select min(earlier.created_at) as began_at
    from security_log_entries as entry
    join security_log_entries as earlier
      on earlier.user_id = entry.user_id
      and earlier.email = ${email}
      and earlier.action in ('email.change_requested', 'email.changed')
      and earlier.id <= entry.id
      and earlier.created_at > entry.created_at - interval '72 hours'
    where entry.id = ${entry_id} and entry.user_id = ${user_id}
  `
  return began_at
}

function removedSince(count: number): string {
  if (count === 0) return ''
  return ` ${count === 1 ? 'A second factor that was' : `${count} second factors that were`} added since the change began ${count === 1 ? 'was' : 'were'} removed.`
}

/**
 * Gives an account its former address back, or keeps it, if the change is still pending. Ends everything that the account can be used by,
 * and mails a link to set a new password, since the person who changed the address knows the old one. Second factors that were added since
 * go: with a passkey of theirs, that person could sign in without the password. Earlier ones stay, as after a password reset.
 *
 * @returns the address
 * @throws Problem 422 if the token is invalid, used or expired; `email_taken` if another account verified the address meanwhile
 */
export async function takeBackAddress(tx: Tx, token: string, visitor: Visitor): Promise<string> {
  const [reversal] = await tx<{ user_id: string; email: string; entry_id: string }[]>`
    delete from address_reversals
    where hash = ${tokenHash(token)}
      and expires_at > now()
    returning user_id, email, entry_id
  `
  if (!reversal) throw invalidReversal()
  const { user_id, email, entry_id } = reversal
  await releaseUnverifiedAddress(tx, email, { user_id, isProven: true })
  await keepBound(tx, user_id)
  await tx`update users set email = ${email}, email_verified = true, pending_email = null where id = ${user_id}`
  await notifyInvited(tx, user_id)
  // Links about later changes were mailed to addresses that are not to be trusted. Earlier links stay: they were mailed before.
  await tx`delete from address_reversals where user_id = ${user_id} and entry_id >= ${entry_id}`
  await tx`delete from email_verifications where user_id = ${user_id}`
  await tx`delete from password_resets where user_id = ${user_id}`
  const tokens = await endAllAccess(tx, user_id)
  // After the sessions: none of them adds another one.
  const began = await changeBegan(tx, user_id, reversal)
  const removed = await removeFactorsSince(tx, user_id, began)
  // The same holds for a provider that was linked since.
  await unlinkUser(tx, user_id, began)
  const detail = `The address was changed back to ${email} with a mailed link: ${endedAccess(tokens)}${removedSince(removed)}`
  await recordSecurityEvent(tx, user_id, visitor, 'email.restored', detail)
  if (!isSignOnOnly) await queuePasswordReset(tx, email, visitor)
  return email
}
