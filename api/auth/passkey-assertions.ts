/** Assertions of passkeys: proof that the person who sends a request holds one of the account's. */
import type { Visitor } from '../../core/actors.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Subject } from '../passkeys/challenges.ts'
import type { Assertion } from '../passkeys/fields.ts'
import { type UsedPasskey, verifyAssertion as verify } from '../passkeys/verification.ts'
import { Problem } from '../problems.ts'

export { Assertion } from '../passkeys/fields.ts'

/** What an assertion is for. Its challenge was made for the same. */
type AssertionUse =
  /** The second step of a sign-in. */
  | { purpose: 'second_factor'; ticket_hash: Buffer }
  /** A sensitive change within a session. */
  | { purpose: 'recent_sign_in'; session_id: string }

/** What the challenge of such an assertion is about. */
export const subjectOf = (user_id: string, use: AssertionUse): Subject => ({
  purpose: use.purpose,
  about: [user_id, use.purpose === 'second_factor' ? use.ticket_hash.toString('hex') : use.session_id],
})

/**
 * Verifies an assertion, and uses up its challenge.
 *
 * @param db a pool: the challenge stays used when a transaction fails
 * @returns the passkey of the user that it proves; null if it proves none
 */
export async function verifyAssertion(
  db: Queryable,
  user_id: string,
  assertion: Assertion,
  use: AssertionUse,
  visitor: Visitor,
): Promise<UsedPasskey | null> {
  try {
    return await verify(db, assertion, subjectOf(user_id, use), user_id, visitor)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
