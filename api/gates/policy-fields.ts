/** The shape of a gate policy: of a workspace, and of each gate. */
import { WAYS } from '../../core/gates.ts'
import { Maybe, Nullable, OneOf, Shape, type Static, Type } from '../../core/values/schema.ts'

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
  description: 'Whether the people who opened the gate and who started its execution cannot approve it. They can reject it.',
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

/** The policy of a workspace for new gates. */
export const GatePolicy = Shape(
  {
    required_approvals: RequiredApprovals,
    prevent_self_approval: PreventSelfApproval,
    expires_in_seconds: Nullable(ExpiresInSeconds),
    decide_via: DecideVia,
  },
  {
    title: 'GatePolicy',
    description: 'The policy for new gates. Each gate keeps the policy that was in force when it was opened.',
  },
)
export type GatePolicy = Static<typeof GatePolicy>

/** A change of the policy: absent fields stay as they are. */
export const GatePolicyUpdate = Shape({
  required_approvals: Maybe(RequiredApprovals),
  prevent_self_approval: Maybe(PreventSelfApproval),
  expires_in_seconds: Maybe(Nullable(ExpiresInSeconds)),
  decide_via: Maybe(DecideVia),
})
export type GatePolicyUpdate = Static<typeof GatePolicyUpdate>
