/**
 * Sign-ons with the provider of an organization. It says who its people are to that organization, and to no other: it links nobody by an
 * address, and opens sessions only of accounts whose address lies in one of its verified domains.
 */
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import type { SignOn } from '../auth/sign-ons.ts'
import { isSignOnOnly } from '../credentials/own-sign-in.ts'
import { insertMember, type LockedOrganization, lockOrganization, roleOf } from '../members/membership.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { createAccount, lockProven } from './accounts.ts'
import type { Connection } from './connections.ts'
import { isInDomain } from './domains.ts'
import { groupsIn } from './group-claims.ts'
import { findIdentity, identityConflict, type LinkedIdentity, link, lockSubject, recordLinked, signOnOf } from './identities.ts'
import { BY_PROVIDER } from './mapped.ts'
import type { Person } from './people.ts'
import { syncMember } from './sync.ts'

/** A connection of an organization. */
export type OwnConnection = Connection & { organization_id: string }

export const isOwn = (connection: Connection): connection is OwnConnection => connection.organization_id !== null

/** What follows a sign-on: it signs in, it proves something in the session, or the person has to do something first. */
type Outcome =
  | { kind: 'sign in' | 'prove'; identity: LinkedIdentity; signOn: SignOn }
  | { kind: 'sign in first' }
  | { kind: 'connect'; groups: string[]; may_join: boolean }

const notMember = (name: string): Problem =>
  new Problem('sso_not_allowed', `You are not a member of ${name}. Ask an admin to invite you, then sign in again.`)

/** Whether a person becomes a member by signing on. */
const mayJoin = async (tx: Tx, { id, provision }: OwnConnection, email: string | null): Promise<boolean> =>
  provision && email !== null && (await isInDomain(tx, id, email))

/** Makes a user a member, or sets what their groups give. @throws Problem `sso_not_allowed`, `member_limit_reached` */
export async function admitMember(
  tx: Tx,
  connection: Pick<OwnConnection, 'organization_id' | 'name' | 'mappings'>,
  user_id: string,
  values: string[],
  may_join: boolean,
): Promise<LockedOrganization> {
  const { organization_id, mappings, name } = connection
  // Users are locked before organizations.
  await tx`select from users where id = ${user_id} and deleted_at is null for key share`
  const organization = await lockOrganization(tx, organization_id)
  if ((await roleOf(tx, organization_id, user_id)) === null) {
    if (!may_join) throw notMember(name)
    await insertMember(tx, BY_PROVIDER, organization, user_id, 'member')
  }
  await syncMember(tx, organization, mappings, user_id, values)
  return organization
}

const valuesOf = ({ groups_claim }: Connection, { claims }: Person): string[] =>
  groups_claim === null ? [] : groupsIn(claims, groups_claim)

async function accountAddress(tx: Tx, user_id: string): Promise<string> {
  const [{ email }] = await tx<[{ email: string }]>`select email from users where id = ${user_id}`
  return email
}

async function signOnKnown(tx: Tx, connection: OwnConnection, person: Person, known: LinkedIdentity, by: SignedIn | null) {
  if (by && by.id !== known.user_id)
    throw identityConflict(
      `You are signed in as ${by.email}, and the provider of ${connection.name} named another person. Sign out first, or sign in there as yourself.`,
    )
  const values = valuesOf(connection, person)
  await admitMember(tx, connection, known.user_id, values, await mayJoin(tx, connection, person.email))
  const signOn = signOnOf(connection, known, person)
  if (by) return { kind: 'prove', identity: known, signOn } as const
  const isTrusted = !isSignOnOnly && (await isInDomain(tx, connection.id, await accountAddress(tx, known.user_id)))
  return isTrusted ? ({ kind: 'sign in', identity: known, signOn } as const) : ({ kind: 'sign in first' } as const)
}

/** Makes an account for a person whom nobody knows; null if they have to sign in first. */
async function provisionNewcomer(tx: Tx, connection: OwnConnection, person: Person, visitor: Visitor): Promise<Outcome> {
  const { email, email_verified, name } = person
  const isNew =
    email !== null && !isSignOnOnly && (await mayJoin(tx, connection, email)) && (await lockProven(tx, email)) === null
  if (!isNew) return { kind: 'sign in first' }
  const values = valuesOf(connection, person)
  const user_id = await createAccount(tx, connection, { email, name, isProven: email_verified }, visitor)
  await admitMember(tx, connection, user_id, values, true)
  const identity = await link(tx, connection, person, user_id, visitor)
  await recordLinked(tx, connection, identity, name)
  return { kind: 'sign in', identity, signOn: signOnOf(connection, identity, person) }
}

/**
 * What a sign-on with the provider of an organization means.
 *
 * @param by who is signed in
 * @throws Problem `sso_identity_conflict`, `sso_not_allowed`, `sso_groups_overage`, `member_limit_reached`, `group_member_limit_reached`
 */
export async function nameByOrganization(
  tx: Tx,
  connection: OwnConnection,
  person: Person,
  by: SignedIn | null,
  visitor: Visitor,
): Promise<Outcome> {
  await lockSubject(tx, connection, person)
  const known = await findIdentity(tx, connection, person)
  if (known) return signOnKnown(tx, connection, person, known, by)
  if (!by) return provisionNewcomer(tx, connection, person, visitor)
  const may_join = await mayJoin(tx, connection, person.email)
  if (!may_join && (await roleOf(tx, connection.organization_id, by.id)) === null) throw notMember(connection.name)
  return { kind: 'connect', groups: valuesOf(connection, person), may_join }
}
