/** Groups of members of an organization, whose approval the policy of an environment can require. */
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { quotedName } from '../../core/values/plain-text.ts'
import { type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { changedFields, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { lockOrganization } from '../members/locked-organization.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type Resource, type ResourceKey, resourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { conflictAt, groupInUse, notFound, Problem } from '../problems.ts'
import type { Group, GroupInput, GroupUpdate } from './schema.ts'

/** Groups that an organization can have. */
export const MAX_GROUPS = 50

const columns = sql`
  groups.id, groups.organization_id, groups.name, groups.description,
  (
    select count(*)
    from group_members as member
    where member.group_id = groups.id
      and member.organization_id = groups.organization_id
  ) as member_count,
  groups.created_at, groups.updated_at
`

/** A name in one case. In capitals first, because some letters, such as ß, have a capital form alone in common with others. */
const nameKey = (name: string): string => name.toUpperCase().toLowerCase().normalize('NFC')

/** A group. @throws Problem `not_found` */
export async function getGroup(db: Queryable, { id, organization_id }: ResourceKey<'group'>): Promise<Group> {
  const [group] = await db<Group[]>`
    select ${columns} from groups where groups.id = ${id} and groups.organization_id = ${organization_id}
  `
  if (!group) throw notFound('group')
  return group
}

/** The groups of an organization, newest first. */
export function listGroups(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<Group[]>`
    select ${columns}
    from groups
    where groups.organization_id = ${organization_id}
      and (${after}::uuid is null or (groups.created_at, groups.id) < (
        select created_at, id from groups where id = ${after} and organization_id = ${organization_id}
      ))
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
      `The organization already has a group with the name ${name}. Names that differ only in case are the same.`,
      'is the name of another group',
    )
  }
}

/**
 * Creates a group without members.
 *
 * @throws Problem `name_taken`, `group_limit_reached`
 */
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
  if (count >= MAX_GROUPS) {
    throw new Problem('group_limit_reached', `An organization can have at most ${MAX_GROUPS} groups. Delete one first.`)
  }
  const [{ id }] = await requireFreeName(
    name,
    () => tx<[{ id: string }]>`
      insert into groups (organization_id, name, name_key, description)
      values (${organization_id}, ${name}, ${nameKey(name)}, ${description})
      returning id
    `,
  )
  const group = resourceKey('group', id, organization)
  await record(tx, by, groupScope(group), {
    action: 'group.created',
    resource_type: 'group',
    resource_id: id,
    detail: `${by.name} created the group ${name}.`,
  })
  return getGroup(tx, group)
}

/** The scope of audit entries about a group. */
export const groupScope = ({ organization_id }: ResourceKey<'group'>) => ({
  organization_id,
  workspace_id: null,
  project_id: null,
})

/** Locks a group, so that neither it nor its members change until commit. @throws Problem `not_found` */
export async function lockGroup(
  tx: Tx,
  { id, organization_id }: ResourceKey<'group'>,
): Promise<Pick<Group, 'name' | 'updated_at'>> {
  const [group] = await tx<Pick<Group, 'name' | 'updated_at'>[]>`
    select name, updated_at from groups where id = ${id} and organization_id = ${organization_id} for no key update
  `
  if (!group) throw notFound('group')
  return group
}

/** Updates the fields that differ. @throws Problem `name_taken` */
export async function updateGroup(
  tx: Tx,
  by: Caller,
  group: Resource<'group'>,
  input: GroupUpdate,
  request: Request,
): Promise<Group> {
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
  await recordUpdate(tx, by, groupScope(group), about, fieldChanges(before, changed))
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
  await record(tx, by, groupScope(group), {
    action: 'group.deleted',
    resource_type: 'group',
    resource_id: group.id,
    detail: `${by.name} deleted the group ${name}.`,
  })
  await tx`delete from groups where id = ${group.id} and organization_id = ${group.organization_id}`
  return null
}
