/** Mailed links that take back a change of the address of an account. The former address gets them. */
import type { Visitor } from '../../core/actors.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Tx } from '../../sql/index.ts'
import { tokenHash } from '../credentials/hashes.ts'
import { invalidField } from '../problems.ts'
import { releaseUnverifiedAddress } from './accounts.ts'
import { endAllAccess, endedAccess } from './all-access.ts'
import { queuePasswordReset } from './password-resets.ts'

const invalidLink = () => invalidField('/token', 'invalid_token', 'is invalid, used, or older than 72 hours')

/**
 * Gives an account its former address back, or keeps it, if the change is still pending. Ends everything that the account can be used by,
 * and mails a link to set a new password, since the person who changed the address knows the old one.
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
  const detail = `The address was changed back to ${email} with a mailed link: ${endedAccess(tokens)}`
  await recordSecurityEvent(tx, user_id, visitor, 'email.restored', detail)
  await queuePasswordReset(tx, email, visitor)
  return email
}
