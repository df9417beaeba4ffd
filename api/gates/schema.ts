import type { GateStatus } from '../../core/gates.ts'
import { Instant, Maybe, Name, Nullable, OneOf, Shape, type Static, Text, Type, Uuid } from '../../core/values/schema.ts'
import { LIST } from '../plugins/lists.ts'
import { DecideVia, ExpiresInSeconds, PreventSelfApproval, RequiredApprovals, Way } from './policy-fields.ts'

const Status = OneOf(['pending', 'approved', 'rejected', 'cancelled', 'expired'] as const satisfies GateStatus[])

export const GateInput = Shape({
  name: Name(200, { examples: ['Release review'] }),
  description: Maybe(Nullable(Text(10_000))),
  required_approvals: Maybe(RequiredApprovals),
  prevent_self_approval: Maybe(PreventSelfApproval),
  expires_in_seconds: Maybe(Nullable(ExpiresInSeconds)),
})
export type GateInput = Static<typeof GateInput>

export const Decision = Shape({ comment: Maybe(Nullable(Text(10_000))) })
export type Decision = Static<typeof Decision>

/** The form behind a mailed link. */
export const LinkedDecision = Shape({ decision: OneOf(['approve', 'reject', 'later'] as const), ...Decision.properties })

export const GateQuery = Shape({ ...LIST, status: Maybe(Status) })
export type GateQuery = Static<typeof GateQuery>

const Approval = Shape(
  {
    user_id: Uuid,
    name: Type.String({ description: 'The name of the user.' }),
    comment: Nullable(Type.String()),
    via: Way,
    created_at: Instant,
  },
  { title: 'GateApproval' },
)

export const Gate = Shape(
  {
    id: Uuid,
    organization_id: Uuid,
    workspace_id: Uuid,
    project_id: Uuid,
    execution_id: Uuid,
    name: Type.String(),
    description: Nullable(Type.String()),
    status: Status,
    required_approvals: RequiredApprovals,
    prevent_self_approval: PreventSelfApproval,
    decide_via: DecideVia,
    expires_at: Nullable(Instant),
    approvals: Type.Array(Approval, { description: 'Oldest first.' }),
    comment: Nullable(Type.String({ description: 'The comment of the decision.' })),
    created_by: Uuid,
    decided_by: Nullable(Uuid),
    decided_via: Nullable(Way),
    decided_at: Nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Gate' },
)
