import type { Queryable, Tx } from '../../sql/index.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller, Resource } from '../plugins/request-context.ts'
import { requireSame } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import { invite } from './invitations.ts'
import { enter, getMember, holdUser, matching, memberColumns, recordMemberChanges, setRoles } from './membership.ts'
import type { Invitation, Member, MemberInput, RoleInput } from './schema.ts'
import { lockOrganization, requireRole, roleTooLow } from './standing.ts'

/** The members of an organization, who joined last first. */
export function listMembers(db: Queryable, organization_id: string, query: string | null, { limit, after }: Slice) {
  return db<Member[]>`
    select ${memberColumns}
    from organization_members as member
    join users on users.id = member.user_id
    where member.organization_id = ${organization_id}
      and ${matching(query)}
      and (
        ${after}::uuid is null
        or (member.joined_at, member.user_id) < (
          select joined_at, user_id from organization_members where organization_id = ${organization_id} and user_id = ${after}
        )
      )
    order by member.joined_at desc, member.user_id desc
    limit ${limit}
  `
}

const alreadyMember = (): Problem => new Problem('already_member', 'They are a member of the organization already.')

/** Who is to be added: by an address or by an id, and never by both. */
function whoIsMeant({ email, user_id }: MemberInput): { user_id: string } | { email: string } {
  if (user_id !== undefined && email !== undefined) {
    throw invalidField('/user_id', 'not_allowed', 'must be absent where email is given: send one of the two')
  }
  if (user_id !== undefined) return { user_id }
  if (email !== undefined) return { email }
  throw invalidField('/email', 'required', 'is required where user_id is absent: send one of the two')
}

/**
 * Adds a user by id or by proven address. An address that nobody has proven is invited.
 *
 * @returns the member or the invitation
 * @throws Problem 422 for a user who does not exist, `already_member`, `member_limit_reached`, `invitation_limit_reached`,
 *   `forbidden` where anybody but the owner adds an admin
 */
export async function addMember(
  tx: Tx,
  by: Caller,
  { organization_id }: Resource,
  input: MemberInput,
): Promise<Member | Invitation> {
  const who = whoIsMeant(input)
  const role = input.role ?? 'member'
  const user = await holdUser(tx, who)
  const organization = await lockOrganization(tx, organization_id)
  const mine = await requireRole(tx, by, organization_id, role === 'admin' ? 'owner' : 'admin')
  if (user) {
    const member = await enter(tx, by, organization, user.id, role)
    if (!member) throw alreadyMember()
    return member
  }
  if ('user_id' in who) throw invalidField('/user_id', 'unknown', 'is no user of this service')
  return invite(tx, by, organization, mine, who.email, role)
}

/**
 * Joins an organization that is open to anybody.
 *
 * @throws Problem `not_found` where it is not, `already_member`, `member_limit_reached`
 */
export async function joinOrganization(tx: Tx, by: Caller, organization_id: string): Promise<Member> {
  await holdUser(tx, { user_id: by.id })
  const organization = await lockOrganization(tx, organization_id)
  if (organization.registration_mode !== 'open') throw notFound('organization')
  const member = await enter(tx, by, organization, by.id, 'member')
  if (!member) throw new Problem('already_member', 'You are a member of the organization already.')
  return member
}

/**
 * Changes the role of a member.
 *
 * @throws Problem `owner_role_fixed`; `forbidden` where anybody but the owner promotes or demotes an admin
 */
export async function updateMember(
  tx: Tx,
  by: Caller,
  { organization_id }: Resource,
  user_id: string,
  { role }: RoleInput,
  request: Request,
): Promise<Member> {
  const organization = await lockOrganization(tx, organization_id)
  const mine = await requireRole(tx, by, organization_id, 'admin')
  const member = await getMember(tx, organization_id, user_id)
  requireSame(request, member)
  if (member.role === 'owner') {
    throw new Problem('owner_role_fixed', 'The owner stays owner until they transfer the organization to another member.')
  }
  if (member.role === role) return member
  if (mine !== 'owner') throw roleTooLow('owner', mine)
  const [changed = member] = await setRoles(tx, by, organization, [{ member, role }])
  return changed
}

/**
 * Ends a membership, and with it the places in workspaces; what the member owned there passes to the organization's owner.
 *
 * @throws Problem `owner_cannot_be_removed`; `forbidden` for a member who removes another, or an admin who removes an admin
 */
export async function removeMember(
  tx: Tx,
  by: Caller,
  { organization_id }: Resource,
  user_id: string,
  request: Request,
): Promise<null> {
  const organization = await lockOrganization(tx, organization_id)
  const leaves = user_id === by.id
  const mine = await requireRole(tx, by, organization_id, leaves ? 'member' : 'admin')
  const member = await getMember(tx, organization_id, user_id)
  if (member.role === 'admin' && mine !== 'owner' && !leaves) throw roleTooLow('owner', mine)
  requireSame(request, member)
  if (member.role === 'owner') {
    throw new Problem('owner_cannot_be_removed', 'The owner cannot leave or be removed: transfer the organization first.')
  }
  await tx`
    update workspaces
    set owner_id = ${organization.owner_id}
    where organization_id = ${organization_id}
      and owner_id = ${user_id}
  `
  await tx`delete from organization_members where organization_id = ${organization_id} and user_id = ${user_id}`
  const detail = leaves
    ? `${by.name} left the organization ${organization.name}.`
    : `${by.name} removed ${member.user_name} from the organization ${organization.name}.`
  await recordMemberChanges(tx, by, [{ name: 'member.removed', member, detail }])
  return null
}
