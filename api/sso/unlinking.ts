/** Ends links between people at a provider and users. */
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { endSignOns } from '../auth/sign-ons.ts'
import { lockOrganization, organizationScope, requireRole } from '../members/membership.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound } from '../problems.ts'
import { keepBound, leaveMapped } from './bonds.ts'
import type { SsoIdentity } from './schema.ts'

/** Unlinks all people of a connection: their sessions and proofs end. */
export async function unlinkAll(tx: Tx, connection_id: string, detail: string): Promise<void> {
  await tx`
    insert into security_log_entries (user_id, email, action, detail)
    select users.id, users.email, 'identity.unlinked', ${detail}
    from sso_identities as identity
    join users on users.id = identity.user_id
    where identity.connection_id = ${connection_id}
  `
  await tx`delete from sso_identities where connection_id = ${connection_id}`
  await tx`delete from sso_proofs where connection_id = ${connection_id}`
  await tx`update sessions set ended_at = now() where opened_by = ${connection_id} and ended_at is null`
}

/** Deletes the connection of an organization that is deleted. */
export async function endConnection(tx: Tx, organization_id: string, name: string): Promise<void> {
  await tx`delete from sso_newcomers where organization_id = ${organization_id}`
  const [deleted] = await tx<{ id: string }[]>`
    delete from sso_connections where organization_id = ${organization_id} returning id
  `
  if (deleted) await unlinkAll(tx, deleted.id, `The organization ${name} was deleted, with its single sign-on.`)
}

type Organization = ResourceKey<'organization'>

const connectionOf = (organization_id: string) => sql`
  (select id from sso_connections where organization_id = ${organization_id} and not use_instance)
`

/** The people of an organization who are linked, newest first. */
export const listIdentities = (db: Queryable, { organization_id }: Organization, { limit, after }: Slice) => db<SsoIdentity[]>`
  select
    identity.id, identity.user_id, users.name as user_name, users.email as user_email, identity.subject, identity.email,
    identity.proven_until as signed_on_until, identity.created_at
  from sso_identities as identity
  join users on users.id = identity.user_id
  where identity.connection_id = ${connectionOf(organization_id)}
    ${following(sql`identity.id`, after)}
  order by identity.id desc
  limit ${limit}
`

/** The same, by the user. @throws Problem `not_found`, `forbidden` */
export async function unlinkMember(
  tx: Tx,
  by: Caller,
  organization: Organization,
  user_id: string,
  request: Request,
): Promise<null> {
  const [identity] = await tx<{ id: string }[]>`
    select id from sso_identities where user_id = ${user_id} and connection_id = ${connectionOf(organization.organization_id)}
  `
  if (!identity) throw notFound('identity')
  return unlinkPerson(tx, by, organization, identity.id, request)
}

/** Unlinks a person, whose sessions by this provider end. They stay a member. @throws Problem `not_found`, `forbidden` */
export async function unlinkPerson(tx: Tx, by: Caller, { organization_id }: Organization, identity_id: string, request: Request) {
  const { name } = await lockOrganization(tx, organization_id)
  await requireRole(tx, by, organization_id, 'admin')
  const [linked] = await tx<{ user_id: string }[]>`
    select user_id from sso_identities where id = ${identity_id} and connection_id = ${connectionOf(organization_id)}
  `
  if (linked) await keepBound(tx, linked.user_id)
  const [identity] = await tx<{ user_id: string; connection_id: string; subject: string }[]>`
    delete from sso_identities
    where id = ${identity_id} and connection_id = ${connectionOf(organization_id)}
    returning user_id, connection_id, subject
  `
  if (!identity) throw notFound('identity')
  requireMatch(request, null)
  const { user_id, connection_id, subject } = identity
  await endSignOns(tx, user_id, connection_id, null)
  await leaveMapped(tx, user_id, [connection_id])
  await recordSecurityEvent(
    tx,
    user_id,
    null,
    'identity.unlinked',
    `${by.name} unlinked your account at the provider of ${name}.`,
  )
  const [user] = await tx<[{ name: string }]>`select name from users where id = ${user_id}`
  await record(tx, by, organizationScope(organization_id), {
    action: 'sso_identity.unlinked',
    resource_type: 'sso_identity',
    resource_id: identity_id,
    detail: `${by.name} unlinked ${user.name} (${subject.slice(0, 100)}) from the provider.`,
  })
  return null
}
