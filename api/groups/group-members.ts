/** Who is in a group. */
import { record } from '../../core/security/audit.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { requirePerson } from '../credentials/require-person.ts'
import { lockMember } from '../members/membership.ts'
import { readUndecidable } from '../notifications/withdrawn.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import { groupScope, lockGroup } from './groups.ts'
import type { GroupMember } from './schema.ts'

/** Whose approval counts is for people to say. */
const CHANGE = 'change who is in a group'

/** Members that a group can have. */
const MAX_MEMBERS = 200

/** The members of a group, latest first. */
export function listGroupMembers(db: Queryable, { id, organization_id }: ResourceKey<'group'>, { limit, after }: Slice) {
  return db<GroupMember[]>`
    select
      member.group_id, member.organization_id, member.user_id,
      people.name as user_name, people.email as user_email,
      '/api/v1/users/' || people.id || '/avatar' as user_avatar_url,
      member.added_at
    from group_members as member
    join people on people.id = member.user_id
    where member.group_id = ${id}
      and member.organization_id = ${organization_id}
      and (
        ${after}::uuid is null
        or (member.added_at, member.user_id) < (
          select added_at, user_id
          from group_members
          where group_id = ${id}
            and organization_id = ${organization_id}
            and user_id = ${after}
        )
      )
    order by member.added_at desc, member.user_id desc
    limit ${limit}
  `
}

const recordChange = (tx: Tx, by: Caller, group: ResourceKey<'group'>, user_id: string, participle: string, detail: string) =>
  record(tx, by, groupScope(group), {
    action: `group_member.${participle}`,
    resource_type: 'group_member',
    resource_id: user_id,
    detail,
  })

/**
 * Adds a member of the organization to a group. Nothing changes if they are in it.
 *
 * @throws Problem `person_required`, `not_a_member`, `group_member_limit_reached`
 */
export async function addGroupMember(
  tx: Tx,
  by: Caller,
  group: Resource<'group'>,
  user_id: string,
  request: Request,
): Promise<null> {
  await requirePerson(tx, by, CHANGE)
  const { id, organization_id } = group
  // Locked, so that two requests at once cannot both add the last member.
  const { name } = await lockGroup(tx, group)
  requireMatch(request, null)
  const member = await lockMember(tx, organization_id, user_id)
  const [{ count, is_in }] = await tx<[{ count: number; is_in: boolean }]>`
    select count(*), coalesce(bool_or(user_id = ${user_id}), false) as is_in
    from group_members
    where group_id = ${id}
      and organization_id = ${organization_id}
  `
  if (is_in) return null
  if (count >= MAX_MEMBERS) {
    throw new Problem('group_member_limit_reached', `A group can have at most ${MAX_MEMBERS} members. Remove one first.`)
  }
  await tx`insert into group_members (group_id, organization_id, user_id) values (${id}, ${organization_id}, ${user_id})`
  await recordChange(tx, by, group, user_id, 'added', `${by.name} added ${member.name} to the group ${name}.`)
  return null
}

/** Removes a member from a group. @throws Problem `person_required`, `not_found` */
export async function removeGroupMember(
  tx: Tx,
  by: Caller,
  group: Resource<'group'>,
  user_id: string,
  request: Request,
): Promise<null> {
  await requirePerson(tx, by, CHANGE)
  const { name } = await lockGroup(tx, group)
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
