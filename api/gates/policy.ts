/** The gate policy of a workspace. */

import { WAYS } from '../../core/gates/gates.ts'
import { lockWorkspacePolicy } from '../../core/gates/rules.ts'
import { sql } from '../../core/platform/database.ts'
import type { WorkspaceScope } from '../../core/tenants/scopes.ts'
import { Maybe, Nullable, OneOf, Shape, type Static, Type } from '../../core/values/schema.ts'
import type { Tx } from '../../sql/index.ts'
import { notFound } from '../problems.ts'

export const Way = OneOf(WAYS, {
  description: 'How a decision was made: through the API, in the app, in Slack, or by the mailed link.',
})

export const RequiredApprovals = Type.Integer({
  minimum: 1,
  maximum: 10,
  description: 'How many people must approve.',
  examples: [1],
})

export const PreventSelfApproval = Type.Boolean({
  description:
    'Whether the people who opened the gate and who started its execution cannot approve it. They can reject it. For a gate that Signalbox opens, these are the people who asked for its subject in the environments before, or reported the rollout.',
})

export const ExpiresInSeconds = Type.Integer({
  minimum: 60,
  maximum: 2_592_000,
  description: 'Seconds from the opening of a gate to its expiry, at most 30 days; null for none.',
  examples: [86_400],
})

export const DecideVia = Type.Array(Way, {
  minItems: 1,
  maxItems: WAYS.length,
  uniqueItems: true,
  description: 'The ways in which a gate can be approved or rejected.',
  examples: [[...WAYS]],
})

export const GatePolicy = Shape(
  'GatePolicy',
  {
    required_approvals: RequiredApprovals,
    prevent_self_approval: PreventSelfApproval,
    expires_in_seconds: Nullable(ExpiresInSeconds),
    decide_via: DecideVia,
  },
  { description: 'The policy for new gates. Each gate keeps the policy that was in force when it was opened.' },
)
export type GatePolicy = Static<typeof GatePolicy>

/** A change of the policy: absent fields stay as they are. */
export const GatePolicyUpdate = Shape({
  required_approvals: Maybe(RequiredApprovals),
  prevent_self_approval: Maybe(PreventSelfApproval),
  expires_in_seconds: Maybe(Nullable(ExpiresInSeconds)),
  decide_via: Maybe(DecideVia),
})

/** The gate policy of a workspace, which cannot change until the commit. */
export async function lockPolicy(tx: Tx, scope: WorkspaceScope): Promise<GatePolicy> {
  const policy = await lockWorkspacePolicy(tx, scope)
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
