/**
 * Sign-ons with the provider of an organization. It says who its people are to that organization, and to no other: it links no account by its
 * address, and opens sessions only of accounts whose address lies in one of its verified domains.
 */
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import { isSignOnOnly } from '../credentials/own-sign-in.ts'
import { insertMember, lockOrganization, roleOf } from '../members/membership.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { awaitsFactor, createAccount, isTaken } from './accounts.ts'
import type { Connection } from './connections.ts'
import { isInDomain } from './domains.ts'
import { groupsIn } from './group-claims.ts'
import { findIdentity, type LinkedIdentity, link, otherPerson } from './identities.ts'
import { BY_PROVIDER } from './mapped.ts'
import type { Person } from './people.ts'
import { syncMember } from './sync.ts'

/** A connection of an organization. */
type OwnConnection = Connection & { organization_id: string }

export const isOwn = (connection: Connection): connection is OwnConnection => connection.organization_id !== null

/** Who is signed in, and what is known of a sign-on beside the person. */
export interface Known {
  by: SignedIn | null
  /** The user whose second factor completes the sign-on; null before. */
  passed: string | null
  visitor: Visitor
}

/** What a sign-on gives: a session, or a proof in the one that there is; or what its person has to do first. */
export type Outcome =
  | { kind: 'sign in' | 'prove'; identity: LinkedIdentity }
  /** Sign in in another way, in order to connect that account. */
  | { kind: 'sign in first' }
  /** Confirm that the account is that of the person. */
  | { kind: 'connect' }
  /** Prove the second factor of the account. Nothing has changed yet. */
  | { kind: 'factor'; user_id: string }

const notMember = (name: string): Problem =>
  new Problem('sso_not_allowed', `You are not a member of ${name}. Ask an admin to invite you, then sign in again.`)

/** Whether a person becomes a member by signing on. */
const mayJoin = async (tx: Tx, { organization_id, provision }: OwnConnection, { email }: Person): Promise<boolean> =>
  provision && email !== null && (await isInDomain(tx, organization_id, email))

/**
 * Makes a user a member, or sets what their groups give.
 *
 * @param values of the claim of groups
 * @throws Problem `sso_not_allowed`, `member_limit_reached`
 */
export async function admitMember(
  tx: Tx,
  { organization_id, mappings, name }: Pick<OwnConnection, 'organization_id' | 'name' | 'mappings'>,
  user_id: string,
  values: string[],
  may_join: boolean,
): Promise<void> {
  // Users are locked before organizations.
  await tx`select from users where id = ${user_id} and deleted_at is null for key share`
  const organization = await lockOrganization(tx, organization_id)
  if ((await roleOf(tx, organization_id, user_id)) === null) {
    if (!may_join) throw notMember(name)
    await insertMember(tx, BY_PROVIDER, organization, user_id, 'member')
  }
  await syncMember(tx, organization, mappings, user_id, values)
}

const groupsOf = ({ groups_claim }: Connection, { claims }: Person): string[] =>
  groups_claim === null ? [] : groupsIn(claims, groups_claim)

async function signOnKnown(
  tx: Tx,
  connection: OwnConnection,
  person: Person,
  identity: LinkedIdentity,
  known: Known,
): Promise<Outcome> {
  const { by, passed } = known
  const { user_id } = identity
  if (by && by.id !== user_id) throw otherPerson(by, connection)
  const [{ email }] = await tx<[{ email: string }]>`select email from users where id = ${user_id}`
  const isTrusted = !isSignOnOnly && (await isInDomain(tx, connection.organization_id, email))
  if (!by && !isTrusted) return { kind: 'sign in first' }
  if (!by && passed !== user_id && (await awaitsFactor(tx, user_id))) return { kind: 'factor', user_id }
  // Who was removed does not come back by itself.
  await admitMember(tx, connection, user_id, groupsOf(connection, person), false)
  return { kind: isTrusted ? 'sign in' : 'prove', identity }
}

/** Makes an account for a person of a verified domain, unless the address is that of another person. */
async function provisionNewcomer(tx: Tx, connection: OwnConnection, person: Person, visitor: Visitor): Promise<Outcome> {
  const { email, email_verified, name } = person
  const isNew =
    email !== null && !isSignOnOnly && (await mayJoin(tx, connection, person)) && !(await isTaken(tx, email, email_verified))
  if (!isNew) return { kind: 'sign in first' }
  const user_id = await createAccount(tx, connection, { email, name, isProven: email_verified }, visitor)
  await admitMember(tx, connection, user_id, groupsOf(connection, person), true)
  return { kind: 'sign in', identity: await link(tx, connection, person, user_id, visitor) }
}

/**
 * What a sign-on with the provider of an organization means.
 *
 * @throws Problem `sso_identity_conflict`, `sso_not_allowed`, `sso_groups_overage`, `member_limit_reached`, `group_member_limit_reached`
 */
export async function nameByOrganization(tx: Tx, connection: OwnConnection, person: Person, known: Known): Promise<Outcome> {
  const { by, visitor } = known
  const identity = await findIdentity(tx, connection, person)
  if (identity) return signOnKnown(tx, connection, person, identity, known)
  if (!by) return provisionNewcomer(tx, connection, person, visitor)
  const isOutside = (await roleOf(tx, connection.organization_id, by.id)) === null
  if (isOutside && !(await mayJoin(tx, connection, person))) throw notMember(connection.name)
  return { kind: 'connect' }
}

/** Links a person to the account of the caller, who has confirmed both, and who is or becomes a member. @throws Problem as above */
export async function connectToOrganization(tx: Tx, connection: OwnConnection, person: Person, by: SignedIn) {
  await admitMember(tx, connection, by.id, groupsOf(connection, person), await mayJoin(tx, connection, person))
  return link(tx, connection, person, by.id, by)
}
