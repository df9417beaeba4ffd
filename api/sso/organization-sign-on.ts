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
import { createAccount, lockProven } from './accounts.ts'
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

/** What a sign-on gives: a session, or a proof in the one that there is; or what its person has to do first. */
export type Outcome =
  | { kind: 'sign in' | 'prove'; identity: LinkedIdentity }
  /** Sign in in another way, in order to connect that account. */
  | { kind: 'sign in first' }
  /** Confirm that the account is that of the person. */
  | { kind: 'connect' }

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

const admit = async (tx: Tx, connection: OwnConnection, user_id: string, person: Person): Promise<void> =>
  admitMember(tx, connection, user_id, groupsOf(connection, person), await mayJoin(tx, connection, person))

const groupsOf = ({ groups_claim }: Connection, { claims }: Person): string[] =>
  groups_claim === null ? [] : groupsIn(claims, groups_claim)

async function signOnKnown(
  tx: Tx,
  connection: OwnConnection,
  person: Person,
  known: LinkedIdentity,
  by: SignedIn | null,
): Promise<Outcome> {
  if (by && by.id !== known.user_id) throw otherPerson(by, connection)
  await admit(tx, connection, known.user_id, person)
  const [{ email }] = await tx<[{ email: string }]>`select email from users where id = ${known.user_id}`
  if (!isSignOnOnly && (await isInDomain(tx, connection.organization_id, email))) return { kind: 'sign in', identity: known }
  return by ? { kind: 'prove', identity: known } : { kind: 'sign in first' }
}

/** Makes an account for a person of a verified domain, if no account has proved their address. */
async function provisionNewcomer(tx: Tx, connection: OwnConnection, person: Person, visitor: Visitor): Promise<Outcome> {
  const { email, email_verified, name } = person
  const isNew =
    email !== null && !isSignOnOnly && (await mayJoin(tx, connection, person)) && (await lockProven(tx, email)) === null
  if (!isNew) return { kind: 'sign in first' }
  const user_id = await createAccount(tx, connection, { email, name, isProven: email_verified }, visitor)
  await admit(tx, connection, user_id, person)
  return { kind: 'sign in', identity: await link(tx, connection, person, user_id, visitor) }
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
  const known = await findIdentity(tx, connection, person)
  if (known) return signOnKnown(tx, connection, person, known, by)
  if (!by) return provisionNewcomer(tx, connection, person, visitor)
  const isOutside = (await roleOf(tx, connection.organization_id, by.id)) === null
  if (isOutside && !(await mayJoin(tx, connection, person))) throw notMember(connection.name)
  return { kind: 'connect' }
}

/** Links a person to the account of the caller, who has confirmed both, and who is or becomes a member. @throws Problem as above */
export async function connectToOrganization(tx: Tx, connection: OwnConnection, person: Person, by: SignedIn) {
  await admit(tx, connection, by.id, person)
  return link(tx, connection, person, by.id, by)
}
