import { sql } from '../../core/platform/database.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { readUndecidable } from '../notifications/withdrawn.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { requireSame } from '../plugins/responses.ts'
import { conflictAt, insufficientRole, invalidField, notFound, Problem } from '../problems.ts'
import { requireOwnRole } from '../sso/mapped.ts'
import { countAddition, invite, requireProvenAddress } from './invitations.ts'
import {
  getMember,
  insertMember,
  lockOrganization,
  lockUser,
  matching,
  memberColumns,
  recordMemberChanges,
  requireRole,
  setRoles,
} from './membership.ts'
import type { Member, MemberInput, RoleInput } from './schema.ts'

export function listMembers(db: Queryable, organization_id: string, query: string | null, { limit, after }: Slice) {
  return db<Member[]>`
    select ${memberColumns}
    from organization_members as member
    join people on people.id = member.user_id
    where member.organization_id = ${organization_id}
      and ${matching(query)}
      ${following(sql`member.joined_at, member.user_id`, after)}
    order by member.joined_at desc, member.user_id desc
    limit ${limit}
  `
}

const alreadyMember = (target: { user_id: string } | { email: string }): Problem =>
  conflictAt(
    'email' in target ? '/email' : '/user_id',
    'already_member',
    'The user is already a member of the organization.',
    'is a member of the organization already',
  )

/** The user to add, identified by either an address or an id. */
function userToAdd({ email, user_id }: MemberInput): { user_id: string } | { email: string } {
  if (user_id !== undefined && email !== undefined)
    throw invalidField('/user_id', 'not_allowed', 'must be omitted if email is given')
  if (user_id !== undefined) return { user_id }
  if (email !== undefined) return { email }
  throw invalidField('/email', 'required', 'is required unless user_id is given')
}

/**
 * Adds a user by id or by verified address. Any other address is invited.
 *
 * @returns the member or the invitation
 * @throws Problem 422 for an unknown user; `address_not_verified`, `already_member`, `member_limit_reached`, `invitation_limit_reached`;
 *   `forbidden` if someone other than the owner adds an admin
 */
export async function addMember(tx: Tx, by: Caller, { organization_id }: ResourceKey<'organization'>, input: MemberInput) {
  const target = userToAdd(input)
  const role = input.role ?? 'member'
  const user = await lockUser(tx, target)
  const organization = await lockOrganization(tx, organization_id)
  const callerRole = await requireRole(tx, by, organization_id, role === 'admin' ? 'owner' : 'admin')
  await requireProvenAddress(tx, by)
  if (user) {
    const member = await insertMember(tx, by, organization, user.id, role)
    if (!member) throw alreadyMember(target)
    await countAddition(tx, by, user.id)
    return member
  }
  if ('user_id' in target) throw invalidField('/user_id', 'unknown', 'is not a user of this service')
  return invite(tx, by, organization, callerRole, target.email, role)
}

/** @throws Problem `not_found` if its registration is not open; `already_member`, `member_limit_reached` */
export async function joinOrganization(tx: Tx, by: Caller, organization_id: string): Promise<Member> {
  await lockUser(tx, { user_id: by.id })
  const organization = await lockOrganization(tx, organization_id)
  if (organization.registration_mode !== 'open') throw notFound('organization')
  const member = await insertMember(tx, by, organization, by.id, 'member')
  if (!member) throw new Problem('already_member', 'You are already a member of the organization.')
  return member
}

/** @throws Problem `owner_role_fixed`, `managed_by_sso`; `forbidden` if someone other than the owner promotes or demotes an admin */
export async function updateMember(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
  user_id: string,
  { role }: RoleInput,
  request: Request,
): Promise<Member> {
  const organization = await lockOrganization(tx, organization_id)
  const callerRole = await requireRole(tx, by, organization_id, 'admin')
  const member = await getMember(tx, organization_id, user_id)
  requireSame(request, member)
  if (member.role === 'owner') {
    throw new Problem(
      'owner_role_fixed',
      'The role of the owner cannot be changed. Transfer the organization to another member first.',
    )
  }
  if (member.role === role) return member
  if (callerRole !== 'owner') throw insufficientRole('owner', callerRole, 'organization')
  await requireOwnRole(tx, organization_id, user_id)
  const [changed = member] = await setRoles(tx, by, organization, [{ member, role }])
  await readUndecidable(tx, organization_id, user_id)
  return changed
}

/**
 * Ends a membership, including its roles in workspaces. Workspaces that the member owns pass to the owner of the
 * organization.
 *
 * @throws Problem `owner_cannot_be_removed`; `forbidden` if a member removes another, or an admin removes an admin
 */
export async function removeMember(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
  user_id: string,
  request: Request,
): Promise<null> {
  const organization = await lockOrganization(tx, organization_id)
  const isLeaving = user_id === by.id
  const callerRole = await requireRole(tx, by, organization_id, isLeaving ? 'member' : 'admin')
  const member = await getMember(tx, organization_id, user_id)
  if (member.role === 'admin' && callerRole !== 'owner' && !isLeaving) throw insufficientRole('owner', callerRole, 'organization')
  requireSame(request, member)
  if (member.role === 'owner')
    throw new Problem('owner_cannot_be_removed', 'The owner cannot leave or be removed. Transfer the organization first.')
  await tx`
    update workspaces
    set owner_id = ${organization.owner_id}
    where organization_id = ${organization_id} and owner_id = ${user_id}
  `
  await tx`delete from organization_members where organization_id = ${organization_id} and user_id = ${user_id}`
  // They stay for a while, to say why they no longer work; joining again does not revive them.
  await tx`
    update decision_links
    set expires_at = least(expires_at, now())
    where organization_id = ${organization_id} and user_id = ${user_id}
  `
  const detail = isLeaving
    ? `${by.name} left the organization ${organization.name}.`
    : `${by.name} removed ${member.user_name} from the organization ${organization.name}.`
  await recordMemberChanges(tx, by, [{ name: 'member.removed', member, detail }])
  await readUndecidable(tx, organization_id, user_id)
  return null
}

export interface MemberFactor {
  user_id: string
  user_name: string
  user_email: string
  has_second_factor: boolean
}

export const listMemberFactors = (db: Queryable, organization_id: string, limit: number) => db<MemberFactor[]>`
  select people.id as user_id, people.name as user_name, people.email as user_email, people.has_second_factor
  from organization_members as member
  join people on people.id = member.user_id
  where member.organization_id = ${organization_id}
  order by people.has_second_factor, people.name, people.id
  limit ${limit}
`
