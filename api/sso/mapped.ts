/** What mappings of groups give, and who may change that by hand. */
import { recordAll } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import { OneOf, Shape, type Static, Text, Type, Uuid } from '../../core/values/schema.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { organizationScope } from '../members/membership.ts'
import { invalidField, Problem } from '../problems.ts'

const value = Text(1000, { minLength: 1, description: 'Of the claim of groups.', examples: ['release-managers'] })

export const Mapping = Type.Union([
  Shape({ value, group_id: Uuid }),
  Shape({ value, role: Type.Literal('admin', { description: 'Admin of the organization.' }) }),
  Shape({ value, workspace_id: Uuid, role: OneOf(['admin', 'member']) }),
])
export type Mapping = Static<typeof Mapping>

export const MAX_MAPPINGS = 100

/** What a provider says is done by no person here. */
export const BY_PROVIDER = { ...SYSTEM, via: 'sso' } as const

export const groupIds = (mappings: Mapping[]): string[] => [
  ...new Set(mappings.flatMap((each) => ('group_id' in each ? [each.group_id] : []))),
]
export const workspaceIds = (mappings: Mapping[]): string[] => [
  ...new Set(mappings.flatMap((each) => ('workspace_id' in each ? [each.workspace_id] : []))),
]
export const mapsAdmins = (mappings: Mapping[]): boolean =>
  mappings.some((each) => !('group_id' in each) && !('workspace_id' in each))

/** Mappings as they are stored: ids are compared as text. */
export const canonical = (mappings: Mapping[]): Mapping[] =>
  mappings.map((each) => {
    if ('group_id' in each) return { ...each, group_id: each.group_id.toLowerCase() }
    return 'workspace_id' in each ? { ...each, workspace_id: each.workspace_id.toLowerCase() } : each
  })

/** Requires that groups and workspaces of mappings are in the organization. @throws Problem 422 */
export async function requireKnown(tx: Tx, organization_id: string, mappings: Mapping[]): Promise<void> {
  // Locked: a change of group members by hand looks for its mapping while it holds the lock.
  const groups = await tx<{ id: string }[]>`
    select id
    from groups
    where organization_id = ${organization_id} and id = any(${groupIds(mappings)}::uuid[])
    order by id
    for no key update
  `
  const workspaces = await tx<{ id: string }[]>`
    select id from workspaces where organization_id = ${organization_id} and id = any(${workspaceIds(mappings)}::uuid[])
  `
  const known = new Set([...groups, ...workspaces].map(({ id }) => id))
  for (const [index, each] of mappings.entries()) {
    const [name, id] =
      'group_id' in each ? ['group_id', each.group_id] : 'workspace_id' in each ? ['workspace_id', each.workspace_id] : []
    if (name !== undefined && id !== undefined && !known.has(id))
      throw invalidField(`/mappings/${index}/${name}`, 'unknown', 'is not in this organization')
  }
}

interface Managed {
  organization_id: string
  connection_id: string
  mappings: Mapping[]
}

interface Removed {
  organization_id: string
  user_id: string
}

/** In the audit logs of the organizations, once for each member. */
async function recordRemoved(tx: Tx, removed: Removed[]): Promise<void> {
  const members = new Map(removed.map((each) => [`${each.organization_id} ${each.user_id}`, each]))
  const entries = [...members.values()].map(({ organization_id, user_id }) => ({
    scope: organizationScope(organization_id),
    entry: {
      action: 'group_member.removed',
      resource_type: 'group_member',
      resource_id: user_id,
      detail: 'A member was removed from groups that the provider manages, and in which it does not know them.',
    },
  }))
  await recordAll(tx, BY_PROVIDER, entries)
}

/** Mapped groups hold only people whom the provider knows. */
export async function removeUnknown(tx: Tx, { organization_id, connection_id, mappings }: Managed): Promise<void> {
  const linked = await tx<{ user_id: string }[]>`
    select member.user_id
    from member_organizations as member
    join sso_identities as identity on identity.user_id = member.user_id and identity.connection_id = ${connection_id}
    where member.organization_id = ${organization_id}
  `
  const removed = await tx<Removed[]>`
    delete from group_members
    where organization_id = ${organization_id}
      and group_id = any(${groupIds(mappings)}::uuid[])
      and user_id <> all(${linked.map(({ user_id }) => user_id)}::uuid[])
    returning organization_id, user_id
  `
  await recordRemoved(tx, removed)
}

const managed = (what: string): Problem =>
  new Problem('managed_by_sso', `${what} follows the groups of the provider of the organization. Change it there.`)

async function managedIn(db: Queryable, organization_id: string): Promise<Managed | null> {
  const [found] = await db<{ id: string; use_instance: boolean; mappings: Mapping[] }[]>`
    select id, use_instance, mappings
    from sso_connections
    where organization_id = ${organization_id} and mappings <> '[]'
  `
  return found ? { organization_id, connection_id: found.use_instance ? INSTANCE : found.id, mappings: found.mappings } : null
}

async function isLinked(db: Queryable, { connection_id }: Managed, user_id: string): Promise<boolean> {
  const rows = await db`select from sso_identities where user_id = ${user_id} and connection_id = ${connection_id}`
  return rows.length > 0
}

/** @throws Problem `managed_by_sso` if the provider says which role this member has */
export async function requireOwnRole(db: Queryable, organization_id: string, user_id: string): Promise<void> {
  const found = await managedIn(db, organization_id)
  if (found && mapsAdmins(found.mappings) && (await isLinked(db, found, user_id))) throw managed('The role of this member')
}

/** @throws Problem `managed_by_sso` if the provider says which role this person has in the workspace */
export async function requireOwnWorkspace(db: Queryable, organization_id: string, workspace_id: string, user_id: string) {
  const found = await managedIn(db, organization_id)
  if (found && workspaceIds(found.mappings).includes(workspace_id) && (await isLinked(db, found, user_id)))
    throw managed('The role of this member in the workspace')
}

/** Whether the provider says who is in a group. */
export async function isMapped(
  db: Queryable,
  { id, organization_id }: { id: string; organization_id: string },
): Promise<boolean> {
  const found = await managedIn(db, organization_id)
  return found !== null && groupIds(found.mappings).includes(id)
}

/** @throws Problem `managed_by_sso` if the provider says who is in the group */
export async function requireOwnGroup(db: Queryable, organization_id: string, group_id: string): Promise<void> {
  if (await isMapped(db, { id: group_id, organization_id })) throw managed('Who is in this group')
}
