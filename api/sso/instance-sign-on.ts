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
import { findIdentity, identityConflict, link, lockSubject, signOnOf } from './identities.ts'
import { admitMember } from './organization-sign-on.ts'
import type { Person } from './people.ts'

const otherAccount = (by: SignedIn, name: string): Problem =>
  identityConflict(
    `You are signed in as ${by.email}, and ${name} named another person. Sign out first, or sign in there as yourself.`,
  )

const unverified = (name: string): Problem =>
  new Problem(
    'sso_email_unverified',
    `${name} does not say that your address is verified, so it cannot be known which account is yours. Verify it there, or ask the operator of this service.`,
  )

/** Links a person whom the service does not know: to the account that proved their address, or to a new one. */
async function linkNewcomer(tx: Tx, connection: Connection, person: Person, by: SignedIn | null, visitor: Visitor) {
  const { email, email_verified, name } = person
  if (email === null || !email_verified) throw unverified(connection.name)
  const owner = await lockProven(tx, email)
  if (by && by.id !== owner) throw otherAccount(by, connection.name)
  if (owner !== null && config.EMAIL_VERIFICATION === 'off') await takeOver(tx, owner)
  const user_id = owner ?? (await createAccount(tx, connection, { email, name, isProven: true }, visitor))
  return link(tx, connection, person, user_id, visitor)
}

/** Sets what organizations give to the groups of a person, of those that count sign-ons with the provider of the instance. */
async function countAll(tx: Tx, user_id: string, person: Person): Promise<void> {
  const counting = await countInstance(tx)
  if (counting.length === 0) return
  const own = await tx<{ organization_id: string }[]>`select organization_id from member_organizations where user_id = ${user_id}`
  const memberships = new Set(own.map(({ organization_id }) => organization_id))
  for (const each of counting) {
    // What one organization has set, or a limit of it, must not keep people out of the service.
    await savepoint(tx, (inner) => countAt(inner, each, user_id, memberships.has(each.organization_id), person)).catch(
      (error) => {
        if (!(error instanceof Problem)) throw error
      },
    )
  }
}

async function countAt(
  tx: Tx,
  { organization_id, groups_claim, mappings, provision }: Counting,
  user_id: string,
  isMember: boolean,
  { claims }: Person,
) {
  if (!isMember && !provision) return
  const values = groupsIn(claims, groups_claim)
  // Who is in none of the groups does not become a member.
  const isNamed = mappings.some(({ value }) => values.includes(value))
  if (isMember || isNamed) await admitMember(tx, { organization_id, name: '', mappings }, user_id, values, isNamed)
}

/**
 * The user whom the provider of the instance names.
 *
 * @param by who is signed in
 * @throws Problem `sso_email_unverified`, `sso_identity_conflict`
 */
export async function nameByInstance(tx: Tx, connection: Connection, person: Person, by: SignedIn | null, visitor: Visitor) {
  await lockSubject(tx, connection, person)
  const known = await findIdentity(tx, connection, person)
  if (known && by && by.id !== known.user_id) throw otherAccount(by, connection.name)
  const identity = known ?? (await linkNewcomer(tx, connection, person, by, visitor))
  await countAll(tx, identity.user_id, person)
  return { kind: by ? 'prove' : 'sign in', identity, signOn: signOnOf(connection, identity, person) } as const
}
