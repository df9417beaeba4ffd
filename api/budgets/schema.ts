import {
  listQuery,
  Maybe,
  Month,
  monthsQuery,
  Nullable,
  OneOf,
  Shape,
  type Static,
  Text,
  Type,
  UsdOutput,
  Uuid,
} from '../../core/values/schema.ts'

const figures = {
  budget_monthly_limit_usd: Nullable(UsdOutput),
  budget_used_usd: Type.Number({ description: 'Spend in the current calendar month (UTC).', examples: [22.5] }),
  budget_alert_threshold: Type.Number({ examples: [0.8] }),
  usage_percent: Type.Number({
    description:
      'A ratio, despite its name: spend divided by limit, so 0.225 means 22.5 %. 0 without a limit, 1 with a limit of 0.',
    examples: [0.225],
  }),
}

const WorkspaceBudget = Shape({ workspace_id: Uuid, workspace_name: Type.String(), ...figures }, { title: 'WorkspaceBudget' })

export const Budget = Shape(
  {
    ...figures,
    workspaces_total_used_usd: Type.Number({ description: 'The total of the listed workspaces, without deleted ones.' }),
    workspaces_total_limit_usd: Nullable(Type.Number({ description: 'The sum of all workspace limits. Null if none is set.' })),
    workspaces: Type.Array(WorkspaceBudget),
  },
  { title: 'Budget' },
)

export const SpendQuery = Shape({
  limit: listQuery.limit,
  after: Maybe(Text(200, { description: 'The cursor from the `Link` header.' })),
  ...monthsQuery,
  group_by: Maybe(OneOf(['workspace', 'project', 'agent', 'model'], { description: 'Default: one entry per month.' })),
})
export type SpendQuery = Static<typeof SpendQuery>

export const Spend = Shape(
  {
    month: Month,
    workspace_id: Maybe(Uuid),
    project_id: Maybe(Uuid),
    agent: Maybe(Type.String({ examples: ['claude-code'] })),
    model: Maybe(
      Nullable(Type.String({ description: 'Null: what was reported without a model.', examples: ['claude-opus-4-8'] })),
    ),
    used_usd: UsdOutput,
  },
  { title: 'Spend' },
)
export type Spend = Static<typeof Spend>
