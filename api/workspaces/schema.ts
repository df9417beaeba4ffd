import { Instant, Maybe, Name, Nullable, Shape, type Static, Text, Type, Usd, UsdOutput, Uuid } from '../../core/values/schema.ts'
import { GatePolicy, GatePolicyUpdate } from '../gates/policy-fields.ts'

const Threshold = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  description: 'Fraction of the limit above which `budget.alert` is emitted.',
  examples: [0.8],
})

export const WorkspaceInput = Shape({
  name: Name(120, { examples: ['Platform'] }),
  description: Maybe(Nullable(Text(10_000))),
  budget_monthly_limit_usd: Maybe(Nullable(Usd)),
  budget_alert_threshold: Maybe(Threshold),
})
export type WorkspaceInput = Static<typeof WorkspaceInput>

export const WorkspaceUpdate = Shape({
  name: Maybe(Name(120)),
  description: Maybe(Nullable(Text(10_000))),
  budget_monthly_limit_usd: Maybe(Nullable(Usd)),
  budget_alert_threshold: Maybe(Threshold),
  gate_policy: Maybe(GatePolicyUpdate),
})
export type WorkspaceUpdate = Static<typeof WorkspaceUpdate>

const summary = {
  id: Uuid,
  name: Type.String(),
  workspace_key: Type.String({ description: 'Short key, unique in the organization.' }),
  organization_id: Uuid,
  owner_id: Uuid,
  budget_monthly_limit_usd: Nullable(UsdOutput),
  created_at: Instant,
}

export const WorkspaceSummary = Shape(summary, { title: 'WorkspaceSummary' })
export type WorkspaceSummary = Static<typeof WorkspaceSummary>

export const Workspace = Shape(
  {
    ...summary,
    description: Nullable(Type.String()),
    budget_used_usd: Type.Number({ description: 'Spend in the current calendar month (UTC).' }),
    budget_alert_threshold: Type.Number(),
    gate_policy: GatePolicy,
    updated_at: Instant,
  },
  { title: 'Workspace' },
)
export type Workspace = Static<typeof Workspace>
