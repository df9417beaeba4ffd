/** The gate policy of a workspace. */
import { sql } from '../../core/platform/database.ts'
import type { WorkspaceScope } from '../../core/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import { notFound } from '../problems.ts'
import type { GatePolicy } from './policy-fields.ts'

/** The gate policy of a workspace, which cannot change until the commit. */
export async function lockPolicy(tx: Tx, { organization_id, workspace_id }: WorkspaceScope): Promise<GatePolicy> {
  const [policy] = await tx<GatePolicy[]>`
    select
      gate_required_approvals    as required_approvals,
      gate_prevent_self_approval as prevent_self_approval,
      gate_expires_in_seconds    as expires_in_seconds,
      gate_decide_via            as decide_via
    from workspaces
    where id = ${workspace_id}
      and organization_id = ${organization_id}
    for share
  `
  if (!policy) throw notFound('workspace')
  return policy
}

/** How many people can approve the gates of a workspace: part of a statement. */
export const approversOf = ({ organization_id, workspace_id }: WorkspaceScope) => sql`
  (
    select count(*)
    from organization_members as member
    left join workspace_members as workspace_member
      on workspace_member.workspace_id = ${workspace_id}
      and workspace_member.organization_id = member.organization_id
      and workspace_member.user_id = member.user_id
    where member.organization_id = ${organization_id}
      and (member.role in ('owner', 'admin') or workspace_member.role = 'admin')
  )
`
