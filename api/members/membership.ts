/** Membership in organizations: reading, adding and changing members, with their events and audit entries. */
import { emitAll } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { recordAll } from '../../core/security/audit.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import { addressParts } from '../../core/values/email-addresses.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { describeChanges, fieldChanges } from '../audit-logs/changes.ts'
import { readInvitations } from '../notifications/withdrawn.ts'
import { confirmAccess } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import { insufficientRole, notFound, Problem } from '../problems.ts'
import { hasAtLeast, type OrganizationRole } from '../roles.ts'
import type { Member } from './schema.ts'

/** The scope of events and audit entries about the organization as a whole. */
export const organizationScope = (organization_id: string): Scope => ({ organization_id, workspace_id: null, project_id: null })

/** An organization whose row is locked. Its members and their roles cannot change until commit. */
export interface LockedOrganization {
  id: string
  name: string
  owner_id: string
  registration_mode: 'open' | 'invite-only'
  /** Whether `max_members` is reached. */
  is_full: boolean
  require_second_factor: boolean
  updated_at: string
}

/** Every change of members, roles or the owner takes this lock first. @throws Problem `not_found`; those of `confirmAccess` */
export async function lockOrganization(tx: Tx, organization_id: string): Promise<LockedOrganization> {
  // In one round trip. The change may end the caller's own membership or role.
  const [[organization]] = await Promise.all([
    tx<LockedOrganization[]>`
      select
        id, name, owner_id, registration_mode, coalesce(member_count >= max_members, false) as is_full,
        require_second_factor, updated_at
      from organizations
      where id = ${organization_id}
        and deleted_at is null
      for no key update
    `.execute(),
    confirmAccess(tx),
  ])
  if (!organization) throw notFound('organization')
  return organization
}

/** The role of a user in a locked organization; null if the user is not a member. */
export async function roleOf(tx: Tx, organization_id: string, user_id: string): Promise<OrganizationRole | null> {
  const [member] = await tx<{ role: OrganizationRole }[]>`
    select role from organization_members where organization_id = ${organization_id} and user_id = ${user_id}
  `
  return member?.role ?? null
}

/** Checked again under the lock, as it may have changed since the access checks. @throws Problem `not_found`, `forbidden` */
export async function requireRole(tx: Tx, by: Caller, organization_id: string, required: OrganizationRole) {
  const role = await roleOf(tx, organization_id, by.id)
  if (!role) throw notFound('organization')
  if (!hasAtLeast(role, required)) throw insufficientRole(required, role, 'organization')
  return role
}

/** The columns of a member as the API shows it. Needs `organization_members as member` joined with `people`. */
export const memberColumns = sql`
  member.organization_id, member.user_id, member.role,
  people.name as user_name, people.email as user_email,
  '/api/v1/users/' || people.id || '/avatar' as user_avatar_url,
  member.joined_at
`

export const pathOf = ({ organization_id, user_id }: Member): string =>
  `/api/v1/organizations/${organization_id}/members/${user_id}`

export async function getMember(db: Queryable, organization_id: string, user_id: string): Promise<Member> {
  const [member] = await db<Member[]>`
    select ${memberColumns}
    from organization_members as member
    join people on people.id = member.user_id
    where member.organization_id = ${organization_id} and member.user_id = ${user_id}
  `
  if (!member) throw notFound('member')
  return member
}

/**
 * A member of an organization, who cannot leave it until commit: a concurrent removal waits, and then also removes what follows from it.
 *
 * @throws Problem `not_a_member`, at the field `user_id`
 */
export async function lockMember(tx: Tx, organization_id: string, user_id: string): Promise<{ name: string }> {
  const [member] = await tx<{ name: string }[]>`
    select people.name
    from organization_members as member
    join people on people.id = member.user_id
    where member.organization_id = ${organization_id} and member.user_id = ${user_id}
    for key share of member
  `
  if (member) return member
  const detail = 'is not a member of the organization; add the user there first'
  throw new Problem('not_a_member', `/user_id ${detail}`, [{ pointer: '/user_id', code: 'not_a_member', detail }])
}

export const matching = (query: string | null) => sql`
  (
    ${query}::text is null
    or strpos(folded(people.name), folded(${query})) > 0
    or (
      people.email_verified
      and exists (select 1 from unnest(${addressParts(query ?? '')}::text[]) as part where strpos(people.email, part) > 0)
    )
  )
`

export interface MemberChange {
  name: 'member.added' | 'member.removed' | 'member.role_changed'
  member: Member
  more?: Record<string, string>
  detail: string
}

export async function recordMemberChanges(tx: Tx, by: Actor, entries: MemberChange[]): Promise<void> {
  if (entries.length === 0) return
  await emitAll(
    tx,
    by,
    entries.map(({ name, member, more }) => ({
      scope: organizationScope(member.organization_id),
      name,
      data: { member, ...more },
    })),
  )
  await recordAll(
    tx,
    by,
    entries.map(({ name, member, detail }) => ({
      scope: organizationScope(member.organization_id),
      entry: { action: name, resource_type: 'organization_member', resource_id: member.user_id, detail },
    })),
  )
}

/** Locks a user who is to become a member, before the organization, so that the account cannot be deleted before commit. */
export async function lockUser(tx: Tx, who: { user_id: string } | { email: string }): Promise<{ id: string } | null> {
  const [user] =
    'user_id' in who
      ? await tx<{ id: string }[]>`select id from users where id = ${who.user_id} and deleted_at is null for key share`
      : await tx<{ id: string }[]>`
          select id from users where email = ${who.email} and email_verified and deleted_at is null for key share
        `
  return user ?? null
}

/** The sign-on that a locked organization requires of its members, of which each membership has a copy. */
export async function requiredSignOn(tx: Tx, organization_id: string) {
  const [found] = await tx<{ connection_id: string; required: 'domains' | 'everyone' }[]>`
    select case when use_instance then ${INSTANCE} else id end as connection_id, required
    from sso_connections
    where organization_id = ${organization_id} and required <> 'none'
  `
  return found ?? { connection_id: null, required: null }
}

/** A pending invitation of the user is accepted; null if they are a member already. @throws Problem `member_limit_reached` */
export async function insertMember(
  tx: Tx,
  by: Actor,
  organization: LockedOrganization,
  user_id: string,
  role: 'admin' | 'member',
): Promise<Member | null> {
  const [known] = await tx`
    select from organization_members where organization_id = ${organization.id} and user_id = ${user_id}
  `
  if (known) return null
  if (organization.is_full)
    throw new Problem('member_limit_reached', 'The organization has reached max_members. Raise it, or remove a member.')
  const signOn = await requiredSignOn(tx, organization.id)
  await tx`
    insert into organization_members (
      organization_id, user_id, role, second_factor_required, sso_connection_id, sso_required
    )
    values (
      ${organization.id}, ${user_id}, ${role}, ${organization.require_second_factor}, ${signOn.connection_id}, ${signOn.required}
    )
  `
  const accepted = await tx<{ id: string }[]>`
    update invitations
    set status = 'accepted', token_hash = null
    where organization_id = ${organization.id}
      and status = 'pending'
      and email = (select email from people where id = ${user_id} and email_verified)
    returning id
  `
  await readInvitations(tx, accepted)
  const member = await getMember(tx, organization.id, user_id)
  const detail =
    by.id === user_id
      ? `${by.name} joined the organization ${organization.name} as ${role}.`
      : `${by.name} added ${member.user_name} to the organization ${organization.name} as ${role}.`
  await recordMemberChanges(tx, by, [{ name: 'member.added', member, detail }])
  return member
}

export async function setRoles(
  tx: Tx,
  by: Actor,
  organization: LockedOrganization,
  changes: { member: Member; role: OrganizationRole }[],
): Promise<Member[]> {
  const entries: MemberChange[] = []
  for (const { member, role } of changes) {
    await tx`
      update organization_members
      set role = ${role}
      where organization_id = ${organization.id} and user_id = ${member.user_id}
    `
    entries.push({
      name: 'member.role_changed',
      member: { ...member, role },
      more: { from: member.role, to: role },
      detail: `${by.name} changed ${member.user_name} in the organization ${organization.name}: ${describeChanges(fieldChanges(member, { role }))}.`,
    })
  }
  await recordMemberChanges(tx, by, entries)
  return entries.map(({ member }) => member)
}
