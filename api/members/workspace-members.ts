import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { readUndecidable } from '../notifications/withdrawn.ts'
import { confirmAccess } from '../plugins/confirm-access.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { requireSame } from '../plugins/responses.ts'
import { insufficientRole, notFound, Problem } from '../problems.ts'
import type { WorkspaceRole } from '../roles.ts'
import { requireOwnWorkspace } from '../sso/mapped.ts'
import { lockMember, matching, memberColumns } from './membership.ts'
import type { RoleInput, WorkspaceMember, WorkspaceMemberInput } from './schema.ts'

async function getWorkspaceMember(db: Queryable, { organization_id, workspace_id }: Resource<'workspace'>, user_id: string) {
  const [member] = await db<WorkspaceMember[]>`
    select member.workspace_id, ${memberColumns}
    from workspace_members as member
    join people on people.id = member.user_id
    where member.workspace_id = ${workspace_id}
      and member.organization_id = ${organization_id}
      and member.user_id = ${user_id}
  `
  if (!member) throw notFound('member')
  return member
}

export function listWorkspaceMembers(
  db: Queryable,
  { organization_id, workspace_id }: Resource<'workspace'>,
  query: string | null,
  { limit, after }: Slice,
) {
  return db<WorkspaceMember[]>`
    select member.workspace_id, ${memberColumns}
    from workspace_members as member
    join people on people.id = member.user_id
    where member.workspace_id = ${workspace_id}
      and member.organization_id = ${organization_id}
      and ${matching(query)}
      ${following(sql`member.joined_at, member.user_id`, after)}
    order by member.joined_at desc, member.user_id desc
    limit ${limit}
  `
}

/** Its members cannot change until commit. @param required_role of the caller, confirmed under the lock @returns its name */
async function lockWorkspaceName(tx: Tx, { workspace_id, organization_id }: Resource<'workspace'>, required_role: WorkspaceRole) {
  // In one round trip. The change may end the caller's own role.
  const [[workspace]] = await Promise.all([
    tx<{ name: string }[]>`
      select name from workspaces where id = ${workspace_id} and organization_id = ${organization_id} for no key update
    `.execute(),
    confirmAccess(tx, required_role),
  ])
  if (!workspace) throw notFound('workspace')
  return workspace.name
}

const recordChange = (
  tx: Tx,
  by: Caller,
  workspace: Resource<'workspace'>,
  user_id: string,
  participle: string,
  detail: string,
) =>
  record(tx, by, workspace, {
    action: `workspace_member.${participle}`,
    resource_type: 'workspace_member',
    resource_id: user_id,
    detail,
  })

/** @throws Problem `not_a_member` if the user is not in the organization; `already_member` */
export async function addWorkspaceMember(
  tx: Tx,
  by: Caller,
  workspace: Resource<'workspace'>,
  { user_id, role = 'member' }: WorkspaceMemberInput,
): Promise<WorkspaceMember> {
  const { organization_id, workspace_id } = workspace
  const name = await lockWorkspaceName(tx, workspace, 'admin')
  await lockMember(tx, organization_id, user_id)
  await requireOwnWorkspace(tx, organization_id, workspace_id, user_id)
  const [added] = await tx`
    insert into workspace_members (workspace_id, organization_id, user_id, role)
    values (${workspace_id}, ${organization_id}, ${user_id}, ${role})
    on conflict (workspace_id, user_id, organization_id) do nothing
    returning user_id
  `
  if (!added) throw new Problem('already_member', 'The user is already a member of the workspace. Change their role instead.')
  const member = await getWorkspaceMember(tx, workspace, user_id)
  await recordChange(
    tx,
    by,
    workspace,
    member.user_id,
    'added',
    `${by.name} added ${member.user_name} to the workspace ${name} as ${role}.`,
  )
  return member
}

export async function updateWorkspaceMember(
  tx: Tx,
  by: Caller,
  workspace: Resource<'workspace'>,
  user_id: string,
  { role }: RoleInput,
  request: Request,
): Promise<WorkspaceMember> {
  const name = await lockWorkspaceName(tx, workspace, 'admin')
  const member = await getWorkspaceMember(tx, workspace, user_id)
  requireSame(request, member)
  if (member.role === role) return member
  await requireOwnWorkspace(tx, workspace.organization_id, workspace.workspace_id, user_id)
  await tx`
    update workspace_members
    set role = ${role}
    where workspace_id = ${workspace.workspace_id}
      and organization_id = ${workspace.organization_id}
      and user_id = ${user_id}
  `
  const what = `${member.user_name} in the workspace ${name}`
  const about = { resource_type: 'workspace_member', resource_id: user_id, what }
  await recordUpdate(tx, by, workspace, about, fieldChanges(member, { role }))
  await readUndecidable(tx, workspace.organization_id, user_id)
  return { ...member, role }
}

/** If they own it, it passes to the owner of the organization. @throws Problem `forbidden` if a member removes another */
export async function removeWorkspaceMember(
  tx: Tx,
  by: Caller,
  workspace: Resource<'workspace'>,
  user_id: string,
  request: Request,
): Promise<null> {
  const isLeaving = user_id === by.id
  if (workspace.role === 'member' && !isLeaving) throw insufficientRole('admin', 'member', 'workspace')
  const name = await lockWorkspaceName(tx, workspace, isLeaving ? 'member' : 'admin')
  const member = await getWorkspaceMember(tx, workspace, user_id)
  requireSame(request, member)
  if (!isLeaving) await requireOwnWorkspace(tx, workspace.organization_id, workspace.workspace_id, user_id)
  await tx`
    delete from workspace_members
    where workspace_id = ${workspace.workspace_id}
      and organization_id = ${workspace.organization_id}
      and user_id = ${user_id}
  `
  await tx`
    update workspaces as workspace
    set owner_id = organization.owner_id
    from organizations as organization
    where workspace.id = ${workspace.workspace_id}
      and workspace.organization_id = ${workspace.organization_id}
      and workspace.owner_id = ${user_id}
      and organization.id = workspace.organization_id
  `
  const detail = isLeaving
    ? `${by.name} left the workspace ${name}.`
    : `${by.name} removed ${member.user_name} from the workspace ${name}.`
  await recordChange(tx, by, workspace, user_id, 'removed', detail)
  await readUndecidable(tx, workspace.organization_id, user_id)
  return null
}
