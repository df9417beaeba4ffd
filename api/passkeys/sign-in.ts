/** Passkeys that prove who someone is: at a sign-in, alone or after the password, and before a sensitive change. */

import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { Open } from '../auth/sessions.ts'
import { unauthorized } from '../credentials/access-tokens.ts'
import { requireOwnSignIn } from '../credentials/own-sign-in.ts'
import { networkOf } from '../plugins/client-address.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import type { Subject } from './challenges.ts'
import type { Assertion, RequestOptions } from './fields.ts'
import { requestOptions } from './passkeys.ts'
import { type UsedPasskey, verifyAssertion } from './verification.ts'

/** There is no user before. */
const SIGN_IN: Subject = { purpose: 'sign_in', about: [] }

/** @throws Problem `sso_required` */
export async function signInOptions(db: Queryable, { ip_address }: Visitor): Promise<RequestOptions> {
  requireOwnSignIn()
  return requestOptions(db, networkOf(ip_address), SIGN_IN, null)
}

const refusedAtSignIn = (detail: string): Problem => unauthorized(['passkey_invalid', 401], detail)

/** Verifies the passkey of someone who signs in. @throws Problem `passkey_invalid`, with 401; `sso_required` */
export async function verifyForSignIn(db: Queryable, assertion: Assertion, visitor: Visitor): Promise<UsedPasskey> {
  requireOwnSignIn()
  return verifyAssertion(db, assertion, SIGN_IN, null, visitor).catch((error: unknown) => {
    throw error instanceof Problem ? refusedAtSignIn(error.detail) : error
  })
}

/** @throws Problem `passkey_invalid` if it was removed meanwhile, or the account was deleted */
export async function signInWithPasskey<Opened>(tx: Tx, { id, user_id }: UsedPasskey, visitor: Visitor, open: Open<Opened>) {
  // Locked until commit: a concurrent change that ends all sessions waits, and then ends this one too.
  const [passkey] = await tx<{ name: string }[]>`
    select passkey.name
    from users
    join passkeys as passkey on passkey.user_id = users.id
    where users.id = ${user_id}
      and users.deleted_at is null
      and passkey.id = ${id}
    for share of users
  `
  if (!passkey) throw refusedAtSignIn('The passkey was removed meanwhile.')
  await recordSecurityEvent(tx, user_id, visitor, 'sign_in.succeeded', `Signed in with the passkey ${passkey.name}.`)
  return open(tx, user_id, visitor)
}

type AssertionUse = { purpose: 'second_factor'; ticket_hash: Buffer } | { purpose: 'recent_sign_in'; session_id: string }

export const subjectOf = (user_id: string, use: AssertionUse): Subject => ({
  purpose: use.purpose,
  about: [user_id, use.purpose === 'second_factor' ? use.ticket_hash.toString('hex') : use.session_id],
})

/** What a browser needs to confirm a sensitive change in the session of the caller. */
export const confirmationOptions = (db: Queryable, { id, session_id }: SignedIn): Promise<RequestOptions> =>
  requestOptions(db, id, subjectOf(id, { purpose: 'recent_sign_in', session_id }), id)

/** Uses up its challenge, also when a transaction fails: `db` is a pool. @returns null if it proves no passkey of the user */
export const verifyOwnPasskey = (db: Queryable, user_id: string, assertion: Assertion, use: AssertionUse, visitor: Visitor) =>
  verifyAssertion(db, assertion, subjectOf(user_id, use), user_id, visitor).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
