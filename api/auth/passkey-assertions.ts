/** Assertions of passkeys: proof that the person who sends a request holds one of the account's. */
import type { Visitor } from '../../core/actors.ts'
import { type Static, Type } from '../../core/values/schema.ts'
import type { Queryable } from '../../sql/index.ts'

export const Assertion = Type.Object(
  {},
  { description: 'What `navigator.credentials.get()` returned, as JSON (`PublicKeyCredential.toJSON()`).' },
)
export type Assertion = Static<typeof Assertion>

/** What an assertion is for. Its challenge was made for the same. */
export type AssertionUse =
  /** The second step of a sign-in. */
  | { purpose: 'second_factor'; ticket_hash: Buffer }
  /** A sensitive change within a session. */
  | { purpose: 'recent_sign_in'; session_id: string }

/**
 * Verifies an assertion, and uses up its challenge.
 *
 * @param db a pool: the challenge stays used when a transaction fails
 * @returns whether it proves that the user holds one of their passkeys
 */
export async function verifyAssertion(
  _db: Queryable,
  _user_id: string,
  _assertion: Assertion,
  _use: AssertionUse,
  _visitor: Visitor,
): Promise<boolean> {
  return false
}
