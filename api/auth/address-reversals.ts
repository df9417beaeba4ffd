/** Mailed links that take back a change of the address of an account. The former address gets them. */
import type { Visitor } from '../../core/actors.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Tx } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'
import { releaseUnverifiedAddress } from './accounts.ts'
import { endAllAccess, endedAccess } from './all-access.ts'
import { queuePasswordReset } from './password-resets.ts'
import { removeFactorsSince } from './second-factors.ts'

const invalidLink = () => invalidField('/token', 'invalid_token', 'is invalid, used, or older than 72 hours')

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
    where entry.id = ${entry_id}
      and entry.user_id = ${user_id}
  `
  return began_at
}

function removedFactors(count: number): string {
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
  if (!reversal) throw invalidLink()
  const { user_id, email, entry_id } = reversal
  await releaseUnverifiedAddress(tx, email, user_id)
  await tx`update users set email = ${email}, email_verified = true, pending_email = null where id = ${user_id}`
  // Links about later changes were mailed to addresses that are not to be trusted. Earlier links stay: they were mailed before.
  await tx`delete from address_reversals where user_id = ${user_id} and entry_id >= ${entry_id}`
  await tx`delete from email_verifications where user_id = ${user_id}`
  await tx`delete from password_resets where user_id = ${user_id}`
  const tokens = await endAllAccess(tx, user_id)
  // After the sessions: none of them adds another one.
  const removed = await removeFactorsSince(tx, user_id, await changeBegan(tx, user_id, reversal))
  const detail = `The address was changed back to ${email} with a mailed link: ${endedAccess(tokens)}${removedFactors(removed)}`
  await recordSecurityEvent(tx, user_id, visitor, 'email.restored', detail)
  await queuePasswordReset(tx, email, visitor)
  return email
}
