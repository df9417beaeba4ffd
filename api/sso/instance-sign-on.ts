/** Sign-ons with the provider of the whole instance, which the operator trusts with all accounts: it links by proven addresses. */
import { config } from '../../core/platform/config.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import { savepoint } from '../../sql/transaction.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { createAccount, lockProven, takeOver } from './accounts.ts'
import { type Connection, type Counting, countInstance } from './connections.ts'
import { groupsIn } from './group-claims.ts'
import { findIdentity, type LinkedIdentity, link, otherPerson } from './identities.ts'
import { admitMember, type Outcome } from './organization-sign-on.ts'
import type { Person } from './people.ts'
import { recordRefusal } from './refusals.ts'

const unverified = (name: string): Problem =>
  new Problem(
    'sso_email_unverified',
    `${name} does not say that your address is verified, so it cannot be known which account is yours. Verify it there, or ask the operator of this service.`,
  )

/**
 * Links a person whom the service does not know: to the account that proved their address, or to a new one.
 *
 * @returns null if who is signed in has to confirm that the person is theirs
 */
async function linkNewcomer(tx: Tx, connection: Connection, person: Person, by: SignedIn | null, visitor: Visitor) {
  const { email, email_verified, name } = person
  if (email === null || !email_verified) throw unverified(connection.name)
  const owner = await lockProven(tx, email)
  if (by && owner !== null && owner !== by.id) throw otherPerson(by, connection)
  const isProven = owner !== null && config.EMAIL_VERIFICATION === 'required'
  if (by && !isProven) return null
  if (owner !== null && !isProven) await takeOver(tx, owner)
  const user_id = owner ?? (await createAccount(tx, connection, { email, name, isProven: true }, visitor))
  return link(tx, connection, person, user_id, visitor)
}

/** Sets what organizations give to the groups of a person, of those that count sign-ons with the provider of the instance. */
async function countAll(tx: Tx, connection: Connection, user_id: string, person: Person): Promise<void> {
  const counting = await countInstance(tx)
  if (counting.length === 0) return
  const own = await tx<{ organization_id: string }[]>`select organization_id from member_organizations where user_id = ${user_id}`
  const memberships = new Set(own.map(({ organization_id }) => organization_id))
  for (const each of counting.filter(({ organization_id, provision }) => provision || memberships.has(organization_id))) {
    try {
      await savepoint(tx, (inner) => countAt(inner, each, user_id, memberships.has(each.organization_id), person))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // What one organization has set, or a limit of it, must not keep people out of the service.
      await recordRefusal({ ...connection, organization_id: each.organization_id }, error.detail, tx)
    }
  }
}

async function countAt(
  tx: Tx,
  { organization_id, groups_claim, mappings }: Counting,
  user_id: string,
  isMember: boolean,
  { claims }: Person,
): Promise<void> {
  const values = groupsIn(claims, groups_claim)
  // People in none of the groups do not become members.
  const isNamed = mappings.some(({ value }) => values.includes(value))
  if (isMember || isNamed) await admitMember(tx, { organization_id, name: '', mappings }, user_id, values, isNamed)
}

/**
 * The user whom the provider of the instance names.
 *
 * @param by who is signed in
 * @throws Problem `sso_email_unverified`, `sso_identity_conflict`
 */
export async function nameByInstance(
  tx: Tx,
  connection: Connection,
  person: Person,
  by: SignedIn | null,
  visitor: Visitor,
): Promise<Outcome> {
  const known = await findIdentity(tx, connection, person)
  if (known && by && by.id !== known.user_id) throw otherPerson(by, connection)
  const identity = known ?? (await linkNewcomer(tx, connection, person, by, visitor))
  if (!identity) return { kind: 'connect' }
  await countAll(tx, connection, identity.user_id, person)
  return { kind: 'sign in', identity }
}

/** Links a person to the account of the caller, who has confirmed both. @throws Problem `sso_identity_conflict` */
export async function connectToInstance(tx: Tx, connection: Connection, person: Person, by: SignedIn): Promise<LinkedIdentity> {
  const owner = person.email === null ? null : await lockProven(tx, person.email)
  if (owner !== null && owner !== by.id) throw otherPerson(by, connection)
  const identity = await link(tx, connection, person, by.id, by)
  await countAll(tx, connection, by.id, person)
  return identity
}
