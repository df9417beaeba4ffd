/** Signing in with a passkey alone. */
import type { Visitor } from '../../core/actors.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { networkOf } from '../plugins/client-address.ts'
import { Problem } from '../problems.ts'
import type { Subject } from './challenges.ts'
import type { Assertion, RequestOptions } from './fields.ts'
import { requestOptions } from './passkeys.ts'
import { type UsedPasskey, verifyAssertion } from './verification.ts'

/** There is no user before. */
const SIGN_IN: Subject = { purpose: 'sign_in', about: [] }

/** What a browser needs to sign someone in. */
export const signInOptions = (db: Queryable, { ip_address }: Visitor): Promise<RequestOptions> =>
  requestOptions(db, networkOf(ip_address), SIGN_IN, null)

/** A refused passkey at a sign-in, which signs no user in. */
const refusedAtSignIn = (detail: string): Problem =>
  new Problem(['passkey_invalid', 401], detail, undefined, { 'WWW-Authenticate': 'Bearer' })

/**
 * Verifies the passkey of someone who signs in.
 *
 * @throws Problem `passkey_invalid`, with 401
 */
export const verifyForSignIn = (db: Queryable, assertion: Assertion, visitor: Visitor): Promise<UsedPasskey> =>
  verifyAssertion(db, assertion, SIGN_IN, null, visitor).catch((error: unknown) => {
    throw error instanceof Problem ? refusedAtSignIn(error.detail) : error
  })

/**
 * Signs in the user of a passkey that was verified.
 *
 * @param open opens the session: of an API client, or of the web app
 * @throws Problem `passkey_invalid` if it was removed meanwhile, or the account was deleted
 */
export async function signInWithPasskey<Opened>(
  tx: Tx,
  { id, user_id }: UsedPasskey,
  visitor: Visitor,
  open: (tx: Tx, user_id: string, visitor: Visitor) => Promise<Opened>,
): Promise<Opened> {
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
