/** What a person gets whom a provider has named: a session, or a proof in the session that they have. */
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import type { SignedInOrWaiting } from '../auth/accounts.ts'
import { waitForSecondFactor } from '../auth/second-step.ts'
import { openCookieSession } from '../auth/sessions.ts'
import { recordSignOn, type SignOn } from '../auth/sign-ons.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'

/** Opens a session for a user, unless the account has a second factor: that is asked for, as after a password. */
export async function signInBy(tx: Tx, user_id: string, signOn: SignOn, visitor: Visitor): Promise<SignedInOrWaiting<string>> {
  // Locked until commit: a concurrent change that ends all sessions waits, and then ends this one too.
  const [user] = await tx<{ second_factors: number }[]>`
    select second_factors from users where id = ${user_id} and deleted_at is null for share
  `
  if (!user) throw unauthenticated('The account was deleted.')
  if (user.second_factors > 0) return { waiting: await waitForSecondFactor(tx, user_id, visitor, signOn) }
  await recordSecurityEvent(tx, user_id, visitor, 'sign_in.succeeded', `Signed in with ${signOn.provider}.`)
  return { session: await openCookieSession(tx, user_id, visitor, signOn) }
}

/** Gives the session of the user the proof of a sign-on. */
export async function proveIn(tx: Tx, by: { id: string; session_id: string } & Visitor, signOn: SignOn): Promise<void> {
  await recordSignOn(tx, by.session_id, signOn)
  await recordSecurityEvent(tx, by.id, by, 'sign_in.succeeded', `Signed in again with ${signOn.provider}.`)
}
