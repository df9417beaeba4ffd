/** What a person gets whom a provider has named: a session, or a proof in the session that they have. */
import { epochSeconds } from '../../core/platform/clock.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import { invalidTicket, type Open, openCookieSession } from '../auth/sessions.ts'
import { recordSignOn, type SignOn, type WaitingSignOn } from '../auth/sign-ons.ts'
import { type Connection, findById } from './connections.ts'
import { signOnOf } from './identities.ts'
import { nameByInstance } from './instance-sign-on.ts'
import { isOwn, type Known, nameByOrganization, type Outcome } from './organization-sign-on.ts'
import { type Person, requireClaims } from './people.ts'

/** What a sign-on means. @throws Problem as `nameByInstance`, `nameByOrganization` */
export const nameBy = (tx: Tx, connection: Connection, person: Person, known: Known): Promise<Outcome> =>
  isOwn(connection) ? nameByOrganization(tx, connection, person, known) : nameByInstance(tx, connection, person, known)

/** Opens a session of the web app. */
export async function openSignedOn(tx: Tx, user_id: string, signOn: SignOn, visitor: Visitor): Promise<string> {
  await recordSecurityEvent(tx, user_id, visitor, 'sign_in.succeeded', `Signed in with ${signOn.provider}.`)
  return openCookieSession(tx, user_id, visitor, signOn)
}

/** Opens a session of the web app, after a second factor that completes a sign-on, or a sign-in in another way. */
export const openCompleted: Open<string> = (tx, user_id, visitor, waiting) =>
  waiting ? complete(tx, user_id, visitor, waiting) : openCookieSession(tx, user_id, visitor)

async function complete(
  tx: Tx,
  user_id: string,
  visitor: Visitor,
  { connection_id, person: kept }: WaitingSignOn,
): Promise<string> {
  const connection = await findById(tx, connection_id)
  if (!connection) throw invalidTicket()
  const person = kept as Person
  requireClaims(connection, person)
  const outcome = await nameBy(tx, connection, person, { by: null, passed: user_id, visitor })
  if (outcome.kind !== 'sign in' || outcome.identity.user_id !== user_id) throw invalidTicket()
  const signOn = signOnOf(connection, outcome.identity, person)
  // The second factor proves who the person is where the provider does not say when it asked them.
  return openCookieSession(tx, user_id, visitor, { ...signOn, authenticated_at: signOn.authenticated_at ?? epochSeconds() })
}

/** Gives the session of the user the proof of a sign-on. @param renews whether the provider may open sessions of the account */
export async function proveIn(tx: Tx, by: { id: string; session_id: string } & Visitor, signOn: SignOn, renews: boolean) {
  await recordSignOn(tx, by.session_id, signOn, renews)
  await recordSecurityEvent(tx, by.id, by, 'sign_in.succeeded', `Signed in again with ${signOn.provider}.`)
}
