/** Groups of members of an organization, whose approval the policy of an environment can require. */
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { quotedName } from '../../core/values/plain-text.ts'
import { type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { changedFields, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { requirePerson } from '../credentials/scopes.ts'
import { lockMember, lockOrganization, organizationScope } from '../members/membership.ts'
import { readUndecidable } from '../notifications/withdrawn.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type Resource, type ResourceKey, resourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { conflictAt, groupInUse, notFound, Problem } from '../problems.ts'
import { isMapped, requireOwnGroup } from '../sso/mapped.ts'
import type { Group, GroupInput, GroupMember, GroupUpdate } from './schema.ts'

export const MAX_GROUPS = 50

const columns = sql`
  groups.id, groups.organization_id, groups.name, groups.description,
  (
    select count(*)
    from group_members as member
    where member.group_id = groups.id and member.organization_id = groups.organization_id
  ) as member_count,
  groups.created_at, groups.updated_at
`

/**
 * What is the same for names that readers cannot tell apart: one case, compatibility forms and spaces alike. By way of capitals,
 * because some letters, such as ß, have only a capital form in common with others; of ẞ, ß is the small letter.
 */
const nameKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/\s+/g, ' ')

/** A group. @throws Problem `not_found` */
export async function getGroup(db: Queryable, { id, organization_id }: ResourceKey<'group'>): Promise<Group> {
  const [group] = await db<Group[]>`
    select ${columns} from groups where groups.id = ${id} and groups.organization_id = ${organization_id}
  `
  if (!group) throw notFound('group')
  return group
}

export function listGroups(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<Group[]>`
    select ${columns}
    from groups
    where groups.organization_id = ${organization_id}
      ${following(sql`groups.created_at, groups.id`, after)}
    order by groups.created_at desc, groups.id desc
    limit ${limit}
  `
}

/** @throws Problem `name_taken` */
async function requireFreeName<Result>(name: string | undefined, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (violatedConstraint(error) !== 'groups_name') throw error
    throw conflictAt(
      '/name',
      'name_taken',
      `The organization already has a group with the name ${name}. Names that differ only in case or spaces are the same.`,
      'is the name of another group',
    )
  }
}

/** Creates a group without members. @throws Problem `name_taken`, `group_limit_reached` */
export async function createGroup(
  tx: Tx,
  by: Caller,
  organization: ResourceKey<'organization'>,
  { name, description = null }: GroupInput,
): Promise<Group> {
  const { organization_id } = organization
  // Locked, so that two requests at once cannot both create the last group.
  await lockOrganization(tx, organization_id)
  const [{ count }] = await tx<[{ count: number }]>`select count(*) from groups where organization_id = ${organization_id}`
  if (count >= MAX_GROUPS)
    throw new Problem('group_limit_reached', `An organization can have at most ${MAX_GROUPS} groups. Delete one first.`)
  const [{ id }] = await requireFreeName(
    name,
    () => tx<[{ id: string }]>`
      insert into groups (organization_id, name, name_key, description)
      values (${organization_id}, ${name}, ${nameKey(name)}, ${description})
      returning id
    `,
  )
  const group = resourceKey('group', id, organization)
  await record(tx, by, organizationScope(group.organization_id), {
    action: 'group.created',
    resource_type: 'group',
    resource_id: id,
    detail: `${by.name} created the group ${name}.`,
  })
  return getGroup(tx, group)
}

/** Locks a group, so that neither it nor its members change until commit. @throws Problem `not_found` */
async function lockGroup(tx: Tx, { id, organization_id }: ResourceKey<'group'>): Promise<Pick<Group, 'name' | 'updated_at'>> {
  const [group] = await tx<Pick<Group, 'name' | 'updated_at'>[]>`
    select name, updated_at from groups where id = ${id} and organization_id = ${organization_id} for no key update
  `
  if (!group) throw notFound('group')
  return group
}

/** Updates the fields that differ. @throws Problem `name_taken` */
export async function updateGroup(tx: Tx, by: Caller, group: Resource<'group'>, input: GroupUpdate, request: Request) {
  const { updated_at } = await lockGroup(tx, group)
  requireMatch(request, updated_at)
  const before = await getGroup(tx, group)
  const changed = changedFields(before, input)
  if (!changed) return before
  const stored = changed.name === undefined ? changed : { ...changed, name_key: nameKey(changed.name) }
  await requireFreeName(
    changed.name,
    () => tx`update groups set ${tx(stored)} where id = ${group.id} and organization_id = ${group.organization_id}`,
  )
  const about = { resource_type: 'group', resource_id: group.id, what: `the group ${before.name}` }
  await recordUpdate(tx, by, organizationScope(group.organization_id), about, fieldChanges(before, changed))
  return getGroup(tx, group)
}

/**
 * Requires that nothing needs approvals of a group. A policy that names it from now on is refused, or has the deletion fail by the foreign
 * key; so no gate copies its rules either.
 *
 * @throws Problem `group_in_use`
 */
async function requireUnused(tx: Tx, { id, organization_id }: ResourceKey<'group'>): Promise<void> {
  const [policy] = await tx`
    select from environment_approvers where group_id = ${id} and organization_id = ${organization_id} limit 1
  `
  if (policy) throw groupInUse()
  const [gate] = await tx<{ name: string }[]>`
    select name
    from gates
    where organization_id = ${organization_id}
      and gate_is_open(status, expires_at)
      and status = 'pending'
      and approvers @> jsonb_build_array(jsonb_build_object('group_id', ${id}::text))
    order by created_at, id
    limit 1
  `
  if (gate) {
    throw groupInUse(
      `The pending gate ${quotedName(gate.name)} requires approvals of this group. Delete the group when it is decided.`,
    )
  }
}

/** Deletes a group. @throws Problem `group_in_use` if a policy or a pending gate names it */
export async function deleteGroup(tx: Tx, by: Caller, group: Resource<'group'>, request: Request): Promise<null> {
  const { name, updated_at } = await lockGroup(tx, group)
  requireMatch(request, updated_at)
  await requireUnused(tx, group)
  if (await isMapped(tx, group)) throw groupInUse('Single sign-on says who is in this group. Remove its mapping first.')
  await record(tx, by, organizationScope(group.organization_id), {
    action: 'group.deleted',
    resource_type: 'group',
    resource_id: group.id,
    detail: `${by.name} deleted the group ${name}.`,
  })
  await tx`delete from groups where id = ${group.id} and organization_id = ${group.organization_id}`
  return null
}

/** Whose approval counts is for people to say. */
const CHANGE = 'change who is in a group'

const MAX_MEMBERS = 200

export function listGroupMembers(db: Queryable, { id, organization_id }: ResourceKey<'group'>, { limit, after }: Slice) {
  return db<GroupMember[]>`
    select
      member.group_id, member.organization_id, member.user_id,
      people.name as user_name, people.email as user_email,
      '/api/v1/users/' || people.id || '/avatar' as user_avatar_url,
      member.added_at
    from group_members as member
    join people on people.id = member.user_id
    where member.group_id = ${id} and member.organization_id = ${organization_id}
      ${following(sql`member.added_at, member.user_id`, after)}
    order by member.added_at desc, member.user_id desc
    limit ${limit}
  `
}

const recordChange = (tx: Tx, by: Caller, group: ResourceKey<'group'>, user_id: string, participle: string, detail: string) =>
  record(tx, by, organizationScope(group.organization_id), {
    action: `group_member.${participle}`,
    resource_type: 'group_member',
    resource_id: user_id,
    detail,
  })

/** Nothing changes if they are in it. @throws Problem `person_required`, `not_a_member`, `group_member_limit_reached` */
export async function addGroupMember(tx: Tx, by: Caller, group: Resource<'group'>, user_id: string, request: Request) {
  await requirePerson(tx, by, CHANGE)
  const { id, organization_id } = group
  // Locked, so that two requests at once cannot both add the last member.
  const { name } = await lockGroup(tx, group)
  await requireOwnGroup(tx, organization_id, id)
  requireMatch(request, null)
  const member = await lockMember(tx, organization_id, user_id)
  const [{ count, is_in }] = await tx<[{ count: number; is_in: boolean }]>`
    select count(*), coalesce(bool_or(user_id = ${user_id}), false) as is_in
    from group_members
    where group_id = ${id} and organization_id = ${organization_id}
  `
  if (is_in) return null
  if (count >= MAX_MEMBERS)
    throw new Problem('group_member_limit_reached', `A group can have at most ${MAX_MEMBERS} members. Remove one first.`)
  await tx`insert into group_members (group_id, organization_id, user_id) values (${id}, ${organization_id}, ${user_id})`
  await recordChange(tx, by, group, user_id, 'added', `${by.name} added ${member.name} to the group ${name}.`)
  return null
}

/** Removes a member from a group. @throws Problem `person_required`, `not_found` */
export async function removeGroupMember(tx: Tx, by: Caller, group: Resource<'group'>, user_id: string, request: Request) {
  await requirePerson(tx, by, CHANGE)
  const { name } = await lockGroup(tx, group)
  await requireOwnGroup(tx, group.organization_id, group.id)
  const [member] = await tx<{ name: string }[]>`
    delete from group_members as member
    where member.group_id = ${group.id}
      and member.organization_id = ${group.organization_id}
      and member.user_id = ${user_id}
    returning (select name from people where id = member.user_id) as name
  `
  if (!member) throw notFound('member')
  requireMatch(request, null)
  await readUndecidable(tx, group.organization_id, user_id)
  await recordChange(tx, by, group, user_id, 'removed', `${by.name} removed ${member.name} from the group ${name}.`)
  return null
}
