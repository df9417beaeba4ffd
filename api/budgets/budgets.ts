import { sql } from '../../core/platform/database.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import type { Static } from '../../core/values/schema.ts'
import { Maybe, Month, monthsQuery, Nullable, OneOf, Shape, Type, UsdOutput, Uuid } from '../../core/values/schema.ts'
import type { Queryable } from '../../sql/index.ts'
import { isText, LIST, type Order, type Slice } from '../plugins/lists.ts'
import { invalidField } from '../problems.ts'

const figures = {
  budget_monthly_limit_usd: Nullable(UsdOutput),
  budget_used_usd: Type.Number({ description: 'Spend in the current calendar month (UTC).', examples: [22.5] }),
  budget_alert_threshold: Type.Number({ examples: [0.8] }),
  usage_percent: Type.Number({
    description:
      'A ratio, despite its name: spend divided by limit, so 0.225 means 22.5%. 0 without a limit, 1 with a limit of 0.',
    examples: [0.225],
  }),
}

const WorkspaceBudget = Shape('WorkspaceBudget', { workspace_id: Uuid, workspace_name: Type.String(), ...figures })

export const Budget = Shape('Budget', {
  ...figures,
  workspaces_total_used_usd: Type.Number({ description: 'The total of the listed workspaces, without deleted ones.' }),
  workspaces_total_limit_usd: Nullable(Type.Number({ description: 'The sum of all workspace limits. Null if none is set.' })),
  workspaces: Type.Array(WorkspaceBudget),
})

export const SpendQuery = Shape({
  ...LIST,
  ...monthsQuery,
  group_by: Maybe(OneOf(['workspace', 'project', 'agent', 'model'], { description: 'Default: one entry per month.' })),
})
export type SpendQuery = Static<typeof SpendQuery>

export const Spend = Shape('Spend', {
  month: Month,
  workspace_id: Maybe(Uuid),
  project_id: Maybe(Uuid),
  agent: Maybe(Type.String({ examples: ['claude-code'] })),
  model: Maybe(Nullable(Type.String({ description: 'Null: what was reported without a model.', examples: ['claude-opus-4-8'] }))),
  used_usd: UsdOutput,
})
export type Spend = Static<typeof Spend>

/** The groupings of a month's spend, with the key as text for the cursor. */
const KEYS = {
  workspace: { field: 'workspace_id', key: sql`workspace_id::text` },
  project: { field: 'project_id', key: sql`project_id::text` },
  agent: { field: 'agent', key: sql`agent` },
  model: { field: 'model', key: sql`model` },
} as const

/** The monthly spend of each model. What is left of the spend of agents has none, and an empty key. */
const modelSpend = (organization_id: string) => sql`
  (
    select organization_id, month, workspace_id, model, used_usd from model_spend where organization_id = ${organization_id}
    union all
    select organization_id, month, workspace_id, '', used_usd from agent_spend where organization_id = ${organization_id}
    union all
    select organization_id, month, workspace_id, '', -used_usd from model_spend where organization_id = ${organization_id}
  ) as spend
`

type Row = { month: string; key: string; used_usd: number }

/** The newest month first; in a month by the key of the group. */
export const spendOrder = ({ group_by }: SpendQuery): Order<{ month: string; key: string }> => ({
  keyOf: ({ month, key }) => [month, key],
  parts: [(text) => /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(text), isText],
  variant: group_by ?? '',
})

/**
 * The spend of an organization, or of one of its workspaces, per month, newest first. The spend of an organization includes deleted
 * resources.
 * @returns entries with the `key` of their group
 * @throws Problem `validation_failed` if `from` is after `to`
 */
export async function listSpend(
  db: Queryable,
  { organization_id, workspace_id }: Pick<Scope, 'organization_id' | 'workspace_id'>,
  { from, to, group_by }: SpendQuery,
  { limit, after }: Slice,
): Promise<(Spend & { key: string })[]> {
  if (from && to && from > to) throw invalidField('/from', 'inverted', 'must not be after to')
  const [month = null, key = null] = after ?? []
  const last = sql`coalesce(to_date(${to ?? null}, 'YYYY-MM'), date_trunc('month', now())::date)`
  const monthly = workspace_id === null ? sql`organization_spend` : sql`workspace_spend`
  const grouped = group_by === 'model' ? modelSpend(organization_id) : sql`agent_spend`
  const rows = await db<Row[]>`
    select to_char(month, 'YYYY-MM') as month, key, used_usd
    from (
      select month, ${group_by ? KEYS[group_by].key : sql`''`} collate "C" as key, sum(used_usd) as used_usd
      from ${group_by ? grouped : monthly}
      where organization_id = ${organization_id}
        ${workspace_id === null ? sql`` : sql`and workspace_id = ${workspace_id}`}
        and month <= ${last}
        and month >= coalesce(to_date(${from ?? null}, 'YYYY-MM'), ${last} - interval '11 months')
      group by 1, 2
      having sum(used_usd) > 0
    ) as spent
    where ${after === null}
      or month < to_date(${month}, 'YYYY-MM')
      or (month = to_date(${month}, 'YYYY-MM') and key > ${key})
    order by month desc, key
    limit ${limit}
  `
  return rows.map(({ month, key, used_usd }) =>
    group_by
      ? { key, month, [KEYS[group_by].field]: group_by === 'model' && key === '' ? null : key, used_usd }
      : { key, month, used_usd },
  )
}
