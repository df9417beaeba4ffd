/** Identities: people at providers who are users here. A person is a connection, its issuer and a subject. */
import { addJob } from '../../core/jobs/tasks.ts'
import { record } from '../../core/security/audit.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { SignOn } from '../auth/sign-ons.ts'
import { organizationScope } from '../members/membership.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import type { Connection } from './connections.ts'
import { BY_PROVIDER } from './mapped.ts'
import type { Person } from './people.ts'

export interface LinkedIdentity {
  id: string
  user_id: string
}

/** Sign-ons of one person follow one another, also the first ones. */
export const lockSubject = (tx: Tx, { id }: Connection, { issuer, subject }: Person) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`sso ${id} ${issuer} ${subject}`}, 0))`

export async function findIdentity(db: Queryable, { id }: Connection, { issuer, subject }: Person) {
  const [identity] = await db<LinkedIdentity[]>`
    select id, user_id
    from sso_identities
    where connection_id = ${id}
      and issuer = ${issuer}
      and subject = ${subject}
  `
  return identity
}

/** In the security log of the user whom a refused sign-on names, if there is one. */
export async function recordFailure(db: Queryable, connection: Connection, person: Person, visitor: Visitor, why: string) {
  const known = await findIdentity(db, connection, person)
  if (known)
    await recordSecurityEvent(
      db,
      known.user_id,
      visitor,
      'sign_in.failed',
      `A sign-in with ${connection.name} was refused. ${why}`,
    )
}

export const identityConflict = (detail: string): Problem => new Problem('sso_identity_conflict', detail)

/** Who is signed in is not whom the provider has named. */
export const otherPerson = (by: SignedIn, { name }: Connection): Problem =>
  identityConflict(
    `You are signed in as ${by.email}, and the provider of ${name} named another person. Sign out first, or sign in there as yourself.`,
  )

const linkedToOther = (name: string): Problem =>
  identityConflict(
    `Your account is linked to another person at ${name}. Sign in there as that person, or unlink it in your account first.`,
  )

/** @throws Problem `sso_identity_conflict` if the user has an identity there */
export async function requireUnlinked(
  db: Queryable,
  { id, name }: Connection,
  { issuer }: Person,
  user_id: string,
): Promise<void> {
  const linked = await db`
    select from sso_identities where user_id = ${user_id} and connection_id = ${id} and issuer = ${issuer}
  `
  if (linked.length > 0) throw linkedToOther(name)
}

/**
 * Links a person to a user, which is mailed, and in the audit log of the organization.
 *
 * @throws Problem `sso_identity_conflict` if the user has another identity there
 */
export async function link(tx: Tx, connection: Connection, person: Person, user_id: string, visitor: Visitor) {
  const { id, name, organization_id } = connection
  const { issuer, subject, email } = person
  const [identity] = await tx<(LinkedIdentity & { user_name: string })[]>`
    insert into sso_identities (connection_id, issuer, subject, user_id, email)
    values (${id}, ${issuer}, ${subject}, ${user_id}, ${email})
    on conflict do nothing
    returning id, user_id, (select name from users where id = ${user_id}) as user_name
  `
  if (!identity) throw linkedToOther(name)
  const detail = `An account at ${name} (${new URL(issuer).host}${email === null ? '' : `, ${email}`}) was linked: with it, you sign in.`
  const entry_id = await recordSecurityEvent(tx, user_id, visitor, 'identity.linked', detail)
  await addJob(tx, 'mail_security_notice', { entry_id })
  if (organization_id !== null) {
    await record(tx, BY_PROVIDER, organizationScope(organization_id), {
      action: 'sso_identity.linked',
      resource_type: 'sso_identity',
      resource_id: identity.id,
      detail: `${identity.user_name} was linked to the provider of ${name}.`,
    })
  }
  return identity
}

export const signOnOf = ({ id, name, seconds }: Connection, identity: LinkedIdentity, { authenticated_at }: Person): SignOn => ({
  connection_id: id,
  identity_id: identity.id,
  provider: name,
  seconds,
  authenticated_at,
})
