/** What changes how an account is protected requires a recent sign-in, or a proof in the request. */
import { Maybe, Text } from '../../core/values/schema.ts'
import type { Queryable } from '../../sql/index.ts'
import { Assertion } from '../passkeys/fields.ts'
import { verifyOwnPasskey } from '../passkeys/sign-in.ts'
import { skipIfReplayed } from '../plugins/change.ts'
import type { Caller, SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { verifyCurrentPassword } from '../users/account.ts'
import { hasRecentProof } from './sign-ons.ts'

/** The fields of a request that prove who sends it. */
export const PROOF = {
  current_password: Maybe(
    Text(256, { description: 'Required if the sign-in is older than 10 minutes and there is no `assertion`.' }),
  ),
  assertion: Maybe(Assertion),
}

export const PROOF_ERRORS = ['recent_sign_in_required', 'passkey_invalid', 'too_busy', 'sso_required'] as const

interface Proof {
  current_password?: string
  assertion?: Assertion
}

const passkeyInvalid = (): Problem =>
  new Problem('passkey_invalid', 'The passkey was refused. Get new options, and try again with a passkey of this account.')

/** Whether the person of the session has proved within 10 minutes who they are. */
export const isRecentSignIn = (db: Queryable, { session_id }: SignedIn): Promise<boolean> => hasRecentProof(db, session_id)

/**
 * Requires a sign-in within 10 minutes, the current password, or an assertion of a passkey. One that is sent must be right, however recent
 * the sign-in.
 *
 * @param db a pool: what was tried stays counted when a transaction fails
 * @throws Problem `recent_sign_in_required`, `passkey_invalid`, `rate_limited`; 422 at `/current_password`
 */
export async function requireRecentSignIn(db: Queryable, by: SignedIn, proof: Proof = {}): Promise<void> {
  const { current_password, assertion } = proof
  if (current_password !== undefined) await verifyCurrentPassword(db, by, current_password)
  else if (assertion !== undefined) {
    const use = { purpose: 'recent_sign_in', session_id: by.session_id } as const
    if (!(await verifyOwnPasskey(db, by.id, assertion, use, by))) throw passkeyInvalid()
  } else if (!(await isRecentSignIn(db, by))) {
    const detail =
      'Your sign-in is older than 10 minutes. Send `current_password` or `assertion`, or sign in again; with a provider, so that it asks for your password.'
    throw new Problem('recent_sign_in_required', detail)
  }
}

/**
 * The same, for a request that may be repeated with its `Idempotency-Key`. The stored response may show secrets, so it takes the proof again.
 * An assertion cannot be used again: who sends the same one has sent the first request.
 */
export async function proveRecentSignIn(request: Request, db: Queryable, by: SignedIn, proof: Proof): Promise<void> {
  const prove = () => requireRecentSignIn(db, by, proof)
  await (proof.assertion !== undefined && proof.current_password === undefined ? skipIfReplayed(request, prove) : prove())
}

/** The same, for a caller who may have no session. @returns the caller @throws Problem `session_required` */
export async function proveInSession(request: Request, db: Queryable, caller: Caller, proof: Proof): Promise<SignedIn> {
  const { session_id } = caller
  if (session_id === null)
    throw new Problem('session_required', 'Personal tokens cannot do this. Sign in and send the access token of the session.')
  const by = { ...caller, session_id }
  await proveRecentSignIn(request, db, by, proof)
  return by
}
