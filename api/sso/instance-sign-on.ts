/** Sign-ons with the provider of the whole instance, which the operator trusts with all accounts: it links by proven addresses. */
import type { Tx } from '../../sql/index.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { awaitsFactor, createAccount, lockOwner, takeOver } from './accounts.ts'
import type { Connection } from './connections.ts'
import { countAll } from './counting.ts'
import { findIdentity, type LinkedIdentity, link, otherPerson, requireUnlinked } from './identities.ts'
import type { Known, Outcome } from './organization-sign-on.ts'
import type { Person } from './people.ts'

const unverified = (name: string): Problem =>
  new Problem(
    'sso_email_unverified',
    `${name} does not say that your address is verified, so it cannot be known which account is yours. Verify it there, or ask the operator of this service.`,
  )

/** What a person whom the service does not know gets: the account that proved their address, or a new one. */
async function nameNewcomer(tx: Tx, connection: Connection, person: Person, { by, passed, visitor }: Known): Promise<Outcome> {
  const { email, email_verified, name } = person
  if (email === null || !email_verified) throw unverified(connection.name)
  const owner = await lockOwner(tx, email)
  if (by && owner && owner.id !== by.id) throw otherPerson(by, connection)
  if (by && (!owner || owner.is_assumed)) return { kind: 'connect' }
  if (owner) await requireUnlinked(tx, connection, person, owner.id)
  if (owner?.is_assumed) await takeOver(tx, owner.id)
  // An address may have another owner now, who lacks the second factor.
  else if (owner && !by && passed !== owner.id && (await awaitsFactor(tx, owner.id))) return { kind: 'factor', user_id: owner.id }
  const user_id = owner?.id ?? (await createAccount(tx, connection, { email, name, isProven: true }, visitor))
  return { kind: 'sign in', identity: await link(tx, connection, person, user_id, visitor) }
}

/**
 * The user whom the provider of the instance names.
 *
 * @throws Problem `sso_email_unverified`, `sso_identity_conflict`
 */
export async function nameByInstance(tx: Tx, connection: Connection, person: Person, known: Known): Promise<Outcome> {
  const { by, passed } = known
  const identity = await findIdentity(tx, connection, person)
  if (identity && by && by.id !== identity.user_id) throw otherPerson(by, connection)
  if (identity && !by && passed !== identity.user_id && (await awaitsFactor(tx, identity.user_id)))
    return { kind: 'factor', user_id: identity.user_id }
  const outcome: Outcome = identity ? { kind: 'sign in', identity } : await nameNewcomer(tx, connection, person, known)
  if (outcome.kind === 'sign in') await countAll(tx, connection, outcome.identity.user_id, person)
  return outcome
}

/** Links a person to the account of the caller, who has confirmed both. @throws Problem `sso_identity_conflict` */
export async function connectToInstance(tx: Tx, connection: Connection, person: Person, by: SignedIn): Promise<LinkedIdentity> {
  const owner = person.email === null ? undefined : await lockOwner(tx, person.email)
  if (owner && owner.id !== by.id) throw otherPerson(by, connection)
  const identity = await link(tx, connection, person, by.id, by)
  await countAll(tx, connection, by.id, person)
  return identity
}
