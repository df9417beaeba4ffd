/** Who may decide a gate, with the people of the moment, whose roles and groups cannot change until the commit. */

import { groupNames, readApprovalState } from '../../core/gate-rules.ts'
import type { Gate } from '../../core/gates.ts'
import type { Tx } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import { insufficientRole, notFound, Problem } from '../problems.ts'
import { type OrganizationRole, roleInWorkspace, type WorkspaceRole } from '../roles.ts'

/** What a person is to a gate. */
interface Standing {
  /** Null without a role in the workspace. */
  role: WorkspaceRole | null
  is_in_group: boolean
}

const groupIds = ({ rules }: Gate): string[] => rules.approvers.map(({ group_id }) => group_id)

/** Locks what makes people approvers of a gate, in the order in which removing a member does, and reads it for one of them. */
async function lockStandings(tx: Tx, gate: Gate, user_id: string): Promise<Standing> {
  const { organization_id, workspace_id } = gate
  const user_ids = [user_id, ...gate.approvals.map((approval) => approval.user_id)]
  const [members, insiders, grouped] = await Promise.all([
    tx<{ user_id: string; role: OrganizationRole }[]>`
      select user_id, role
      from organization_members
      where organization_id = ${organization_id}
        and user_id = any(${user_ids}::uuid[])
      order by user_id
      for share
    `.execute(),
    tx<{ user_id: string; role: WorkspaceRole }[]>`
      select user_id, role
      from workspace_members
      where workspace_id = ${workspace_id}
        and organization_id = ${organization_id}
        and user_id = any(${user_ids}::uuid[])
      order by user_id
      for share
    `.execute(),
    tx<{ user_id: string }[]>`
      select user_id
      from group_members
      where group_id = any(${groupIds(gate)}::uuid[])
        and organization_id = ${organization_id}
        and user_id = any(${user_ids}::uuid[])
      order by group_id, user_id
      for share
    `.execute(),
  ])
  const own = <Row extends { user_id: string }>(rows: Row[]): Row | undefined => rows.find((row) => row.user_id === user_id)
  const [member, insider] = [own(members), own(insiders)]
  return {
    role: member ? roleInWorkspace(member.role, insider?.role ?? null) : null,
    is_in_group: own(grouped) !== undefined,
  }
}

/**
 * Requires a person who may decide the gate: a member of its groups, or an admin of the workspace, who can approve only a gate without
 * groups.
 *
 * @throws Problem `not_found`, `forbidden`
 */
export async function requireStanding(
  tx: Tx,
  gate: Gate,
  by: Caller,
  decision: 'approve' | 'reject' | 'request_changes',
): Promise<void> {
  const { role, is_in_group } = await lockStandings(tx, gate, by.id)
  if (role === null) throw notFound('gate')
  if (is_in_group) return
  if (role !== 'admin') throw await notAllowed(tx, gate, role)
  if (decision === 'approve' && gate.rules.approvers.length > 0) throw await notAllowed(tx, gate, role)
}

async function notAllowed(tx: Tx, gate: Gate, role: WorkspaceRole): Promise<Problem> {
  if (gate.rules.approvers.length === 0) return insufficientRole('admin', role, 'workspace')
  const groups = groupNames((await readApprovalState(tx, gate))?.rules ?? [])
  return new Problem('forbidden', onlyMembersOf(groups, role))
}

/** Why someone who is in none of the groups cannot approve the gate. */
export const onlyMembersOf = (groups: string, role: WorkspaceRole): string =>
  `Only members of ${groups} can approve this gate.${role === 'admin' ? ' As an admin of the workspace you can reject it.' : ''}`
