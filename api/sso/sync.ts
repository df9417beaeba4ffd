/** Sets what mappings name to what the groups of a person at the provider give, at each sign-on. */
import { recordAll } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { getMember, type LockedOrganization, organizationScope, setRoles } from '../members/membership.ts'
import { readUndecidable } from '../notifications/withdrawn.ts'
import { Problem } from '../problems.ts'
import { BY_PROVIDER, groupIds, type Mapping, mapsAdmins, workspaceIds } from './mapped.ts'

const MAX_GROUP_MEMBERS = 200

interface Given {
  is_admin: boolean
  groups: Set<string>
  /** The role by workspace. */
  workspaces: Map<string, 'admin' | 'member'>
}

/** What values of the claim give. The greater of two roles counts. */
export function givenBy(mappings: Mapping[], values: string[]): Given {
  const own = new Set(values)
  const given: Given = { is_admin: false, groups: new Set(), workspaces: new Map() }
  for (const each of mappings) {
    if (!own.has(each.value)) continue
    if ('group_id' in each) given.groups.add(each.group_id)
    else if (!('workspace_id' in each)) given.is_admin = true
    else if (given.workspaces.get(each.workspace_id) !== 'admin') given.workspaces.set(each.workspace_id, each.role)
  }
  return given
}

type Entry = Parameters<typeof recordAll>[2][number]

const entryOf = (
  organization_id: string,
  action: string,
  resource_id: string,
  detail: string,
  workspace_id: string | null = null,
): Entry => ({
  scope: { ...organizationScope(organization_id), workspace_id },
  entry: { action, resource_type: action.split('.')[0] ?? '', resource_id, detail },
})

interface Of {
  organization: LockedOrganization
  user_id: string
  user_name: string
  mappings: Mapping[]
  given: Given
}

/** @throws Problem `group_member_limit_reached` */
async function syncGroups(tx: Tx, { organization: { id }, user_id, user_name, mappings, given }: Of): Promise<Entry[]> {
  const mapped = groupIds(mappings)
  if (mapped.length === 0) return []
  // Locked in one order, so that two sign-ons cannot both add the last member.
  const groups = await tx<{ id: string; name: string }[]>`
    select id, name from groups where organization_id = ${id} and id = any(${mapped}::uuid[]) order by id for no key update
  `
  const counted = await tx<{ group_id: string; count: number; is_in: boolean }[]>`
    select group_id, count(*), bool_or(user_id = ${user_id}) as is_in
    from group_members
    where organization_id = ${id} and group_id = any(${mapped}::uuid[])
    group by group_id
  `
  const before = new Map(counted.map((each) => [each.group_id, each]))
  const added = groups.filter((group) => given.groups.has(group.id) && !before.get(group.id)?.is_in)
  const removed = groups.filter((group) => !given.groups.has(group.id) && before.get(group.id)?.is_in)
  const full = added.find((group) => (before.get(group.id)?.count ?? 0) >= MAX_GROUP_MEMBERS)
  if (full) throw new Problem('group_member_limit_reached', `The group ${full.name} is full. Ask an admin, and sign in again.`)
  if (added.length > 0)
    await tx`
      insert into group_members ${tx(added.map((group) => ({ group_id: group.id, organization_id: id, user_id })))}
    `
  if (removed.length > 0)
    await tx`
      delete from group_members
      where organization_id = ${id}
        and user_id = ${user_id}
        and group_id = any(${removed.map((group) => group.id)}::uuid[])
    `
  const says = (action: string, verb: string) => (group: { name: string }) =>
    entryOf(id, `group_member.${action}`, user_id, `The provider ${verb} the group ${group.name}.`)
  return [...added.map(says('added', `added ${user_name} to`)), ...removed.map(says('removed', `removed ${user_name} from`))]
}

async function syncWorkspaces(tx: Tx, { organization, user_id, user_name, mappings, given }: Of): Promise<Entry[]> {
  const { id, owner_id } = organization
  const mapped = workspaceIds(mappings)
  if (mapped.length === 0) return []
  const workspaces = await tx<{ id: string; name: string; role: 'admin' | 'member' | null }[]>`
    select
      workspace.id, workspace.name,
      (
        select member.role
        from workspace_members as member
        where member.workspace_id = workspace.id
          and member.organization_id = ${id}
          and member.user_id = ${user_id}
      ) as role
    from workspaces as workspace
    where workspace.organization_id = ${id} and workspace.id = any(${mapped}::uuid[])
    order by workspace.id
    for no key update of workspace
  `
  const roleIn = ({ id: workspace_id }: { id: string }) => given.workspaces.get(workspace_id) ?? null
  const set = workspaces.filter((each) => roleIn(each) !== null && roleIn(each) !== each.role)
  const removed = workspaces.filter((each) => each.role !== null && roleIn(each) === null)
  if (set.length > 0) {
    await tx`
      insert into workspace_members ${tx(
        set.map((each) => ({ workspace_id: each.id, organization_id: id, user_id, role: roleIn(each) })),
      )}
      on conflict (workspace_id, user_id, organization_id) do update
        set role = excluded.role
    `
  }
  if (removed.length > 0) {
    const ids = removed.map((each) => each.id)
    await tx`
      delete from workspace_members
      where organization_id = ${id}
        and user_id = ${user_id}
        and workspace_id = any(${ids}::uuid[])
    `
    await tx`
      update workspaces
      set owner_id = ${owner_id}
      where organization_id = ${id}
        and owner_id = ${user_id}
        and id = any(${ids}::uuid[])
    `
  }
  return [
    ...set.map((each) => {
      const action = each.role === null ? 'added' : 'updated'
      const detail = `The provider made ${user_name} ${roleIn(each)} of the workspace ${each.name}.`
      return entryOf(id, `workspace_member.${action}`, user_id, detail, each.id)
    }),
    ...removed.map((each) =>
      entryOf(
        id,
        'workspace_member.removed',
        user_id,
        `The provider removed ${user_name} from the workspace ${each.name}.`,
        each.id,
      ),
    ),
  ]
}

/**
 * Sets roles and groups of a member of a locked organization. The owner stays what they are.
 *
 * @param values of the claim of groups
 * @throws Problem `group_member_limit_reached`; then nothing changes
 */
export async function syncMember(
  tx: Tx,
  organization: LockedOrganization,
  mappings: Mapping[],
  user_id: string,
  values: string[],
) {
  if (mappings.length === 0) return
  const given = givenBy(mappings, values)
  const member = await getMember(tx, organization.id, user_id)
  const role = given.is_admin ? 'admin' : 'member'
  const isChanged = mapsAdmins(mappings) && member.role !== 'owner' && member.role !== role
  if (isChanged) await setRoles(tx, BY_PROVIDER, organization, [{ member, role }])
  const of = { organization, user_id, user_name: member.user_name, mappings, given }
  const entries = [...(await syncGroups(tx, of)), ...(await syncWorkspaces(tx, of))]
  if (entries.length === 0 && !isChanged) return
  await recordAll(tx, BY_PROVIDER, entries)
  await readUndecidable(tx, organization.id, user_id)
}
