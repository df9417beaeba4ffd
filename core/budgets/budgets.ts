/** Budgets: the spend of a calendar month (UTC, by the clock of the database), and the events when it nears its limit. */
import type { Json, Queryable, Tx } from '../../sql/index.ts'
import { emitAll, type NewEvent } from '../events/outbox.ts'
import type { BudgetUsage, WorkspaceBudget } from '../events/subjects.ts'
import { sql } from '../platform/database.ts'
import type { Actor } from '../tenants/actors.ts'
import type { ProjectScope, Scope, WorkspaceScope } from '../tenants/scopes.ts'

interface OrganizationBudget extends BudgetUsage {
  workspaces_total_used_usd: number
  workspaces_total_limit_usd: number | null
  workspaces: WorkspaceBudget[]
}

type BudgetScope = Pick<Scope, 'organization_id' | 'workspace_id'>

const thisMonth = sql`date_trunc('month', now())::date`

const organizations = sql`
  organizations as scope
  left join organization_spend as spend on spend.organization_id = scope.id and spend.month = ${thisMonth}
`

const workspaces = sql`
  workspaces as scope
  left join workspace_spend as spend
    on spend.workspace_id = scope.id
    and spend.organization_id = scope.organization_id
    and spend.month = ${thisMonth}
`

const usageColumns = sql`
  scope.budget_monthly_limit_usd,
  coalesce(spend.used_usd, 0) as budget_used_usd,
  scope.budget_alert_threshold,
  case
    when scope.budget_monthly_limit_usd = 0 then 1
    else coalesce(spend.used_usd / scope.budget_monthly_limit_usd, 0)
  end as usage_percent
`

/** The spend of an organization and its workspaces in this month. One statement, for a consistent snapshot. */
export async function organizationBudget(db: Queryable, organization_id: string): Promise<OrganizationBudget> {
  const [budget] = await db<[OrganizationBudget]>`
    with listed as (
      select scope.id as workspace_id, scope.name as workspace_name, ${usageColumns}
      from ${workspaces}
      where scope.organization_id = ${organization_id}
    )
    select
      ${usageColumns},
      coalesce((select sum(budget_used_usd) from listed), 0) as workspaces_total_used_usd,
      (select sum(budget_monthly_limit_usd) from listed) as workspaces_total_limit_usd,
      coalesce((select jsonb_agg(to_jsonb(listed) order by workspace_id desc) from listed), '[]') as workspaces
    from ${organizations}
    where scope.id = ${organization_id}
  `
  return budget
}

const workspaceBudgets = (db: Queryable, organization_id: string, ids: string[]) => db<WorkspaceBudget[]>`
  select scope.id as workspace_id, scope.name as workspace_name, ${usageColumns}
  from ${workspaces}
  where scope.id = any(${ids}::uuid[])
    and scope.organization_id = ${organization_id}
`

export async function workspaceBudget(
  db: Queryable,
  { organization_id, workspace_id }: Pick<WorkspaceScope, 'organization_id' | 'workspace_id'>,
): Promise<WorkspaceBudget> {
  const [budget] = await workspaceBudgets(db, organization_id, [workspace_id])
  return budget as WorkspaceBudget
}

/** Whose budget is exhausted: then no execution may be created or started, and no model may be called. Takes no lock. */
export async function exhaustedBudget(db: Queryable, { organization_id, workspace_id }: BudgetScope) {
  const [exhausted] = await db<{ whose: 'organization' | 'workspace' }[]>`
    select 'organization' as whose
    from ${organizations}
    where scope.id = ${organization_id}
      and coalesce(spend.used_usd, 0) >= scope.budget_monthly_limit_usd
    union all
    select 'workspace'
    from ${workspaces}
    where scope.id = ${workspace_id}
      and scope.organization_id = ${organization_id}
      and coalesce(spend.used_usd, 0) >= scope.budget_monthly_limit_usd
    limit 1
  `
  return exhausted?.whose ?? null
}

/** The limit that an agent has used up in this month; null if it has none, or has not. Takes no lock. */
export async function exhaustedAgentLimit(db: Queryable, organization_id: string, agent: string): Promise<number | null> {
  const [exhausted] = await db<{ max_cost_usd: number }[]>`
    select max_cost_usd
    from agent_limits
    where organization_id = ${organization_id}
      and agent = ${agent}
      and max_cost_usd <= (
        select coalesce(sum(spend.used_usd), 0)
        from agent_spend as spend
        where spend.organization_id = ${organization_id}
          and spend.agent = ${agent}
          and spend.month = ${thisMonth}
      )
  `
  return exhausted?.max_cost_usd ?? null
}

export interface Spent {
  scope: ProjectScope
  agent: string
  model: string | null
  usd: number
}

/** If a sum exceeds the maximum: `refuse` for reports of callers, `cap` for what is already spent. */
type Over = 'refuse' | 'cap'

const LARGEST_USD = sql`1e12`

const raised = (over: Over) =>
  over === 'cap' ? sql`least(spend.used_usd + excluded.used_usd, ${LARGEST_USD})` : sql`spend.used_usd + excluded.used_usd`

/** SQL: the rows of `spent`. PostgreSQL adds them, exactly. */
const spentRows = (tx: Tx, spent: Spent[]) => {
  const rows = spent.map(({ scope: { workspace_id, project_id }, ...each }) => ({ workspace_id, project_id, ...each }))
  return tx`
    jsonb_to_recordset(${tx.json(rows as unknown as Json)}) as spent (
      workspace_id uuid, project_id uuid, agent text, model text, usd numeric
    )
  `
}

/** Adds to the spend of the organization. This locks its row until the commit, so that reports are serialized. */
const addToOrganization = (tx: Tx, organization_id: string, spent: Spent[], over: Over) => tx`
  insert into organization_spend as spend (organization_id, month, used_usd)
  select ${organization_id}::uuid, ${thisMonth}, coalesce(sum(usd), 0)
  from ${spentRows(tx, spent)}
  on conflict (organization_id, month) do update
    set used_usd = ${raised(over)}
`

const addToWorkspaces = (tx: Tx, organization_id: string, spent: Spent[], over: Over) => tx`
  insert into workspace_spend as spend (workspace_id, organization_id, month, used_usd)
  select workspace_id, ${organization_id}::uuid, ${thisMonth}, sum(usd)
  from ${spentRows(tx, spent)}
  group by workspace_id
  on conflict (workspace_id, month, organization_id) do update
    set used_usd = ${raised(over)}
`

const addToAgents = (tx: Tx, organization_id: string, spent: Spent[], over: Over) => tx`
  insert into agent_spend as spend (organization_id, month, workspace_id, project_id, agent, used_usd)
  select ${organization_id}::uuid, ${thisMonth}, workspace_id, project_id, agent, sum(usd)
  from ${spentRows(tx, spent)}
  group by workspace_id, project_id, agent
  on conflict (organization_id, month, workspace_id, project_id, agent) do update
    set used_usd = ${raised(over)}
`

const addToModels = (tx: Tx, organization_id: string, spent: Spent[], over: Over) => tx`
  insert into model_spend as spend (organization_id, month, workspace_id, project_id, agent, model, used_usd)
  select ${organization_id}::uuid, ${thisMonth}, workspace_id, project_id, agent, model, sum(usd)
  from ${spentRows(tx, spent)}
  where model is not null
  group by workspace_id, project_id, agent, model
  on conflict (organization_id, month, workspace_id, project_id, agent, model) do update
    set used_usd = ${raised(over)}
`

interface Crossing {
  /** Null for the budget of the organization. */
  workspace_id: string | null
  kind: 'alert' | 'exhausted'
}

/**
 * Records which thresholds budgets have crossed, each once per month and epoch.
 *
 * The caller has locked the spend rows. Changes of a limit lock them too, so that a report and a change see each other's values.
 *
 * @param workspace_ids null for the budget of the organization
 * @returns the thresholds that were crossed just now
 */
const recordCrossings = (tx: Tx, organization_id: string, workspace_ids: string[] | null) => tx<Crossing[]>`
  insert into budget_crossings (organization_id, workspace_id, month, kind, epoch)
  select ${organization_id}, ${workspace_ids ? tx`scope.id` : tx`null::uuid`}, ${thisMonth}, crossing.kind, scope.budget_epoch
  from ${workspace_ids ? workspaces : organizations}
  cross join unnest(array['alert', 'exhausted']) as crossing (kind)
  where ${
    workspace_ids
      ? tx`scope.id = any(${workspace_ids}::uuid[]) and scope.organization_id = ${organization_id}`
      : tx`scope.id = ${organization_id}`
  }
    and case
      when crossing.kind = 'exhausted' then coalesce(spend.used_usd, 0) >= scope.budget_monthly_limit_usd
      when scope.budget_monthly_limit_usd = 0 then scope.budget_alert_threshold < 1
      else coalesce(spend.used_usd, 0) > scope.budget_monthly_limit_usd * scope.budget_alert_threshold
    end
  on conflict do nothing
  returning workspace_id, kind
`

async function emitCrossings(tx: Tx, by: Actor, organization_id: string, crossed: Crossing[]): Promise<void> {
  if (crossed.length === 0) return
  const ids = crossed.flatMap(({ workspace_id }) => workspace_id ?? [])
  const [whole, budgets] = await Promise.all([
    crossed.some(({ workspace_id }) => workspace_id === null) ? organizationBudget(tx, organization_id) : null,
    ids.length > 0 ? workspaceBudgets(tx, organization_id, [...new Set(ids)]) : [],
  ])
  const events = crossed.flatMap(({ workspace_id, kind }): NewEvent[] => {
    const budget = workspace_id === null ? whole : budgets.find((each) => each.workspace_id === workspace_id)
    const scope = { organization_id, workspace_id, project_id: null }
    return budget ? [{ scope, name: `budget.${kind}` as const, data: { budget } }] : []
  })
  await emitAll(tx, by, events)
}

export const changesBudget = (fields: object): boolean =>
  'budget_monthly_limit_usd' in fields || 'budget_alert_threshold' in fields

/** Emits events for the thresholds that a budget has crossed. To be called in a transaction that changes limit or threshold. */
export async function checkBudget(tx: Tx, by: Actor, { organization_id, workspace_id }: BudgetScope): Promise<void> {
  // Adds nothing, and locks the row.
  if (workspace_id === null) await addToOrganization(tx, organization_id, [], 'refuse')
  else {
    await tx`
      insert into workspace_spend as spend (workspace_id, organization_id, month, used_usd)
      values (${workspace_id}, ${organization_id}, ${thisMonth}, 0)
      on conflict (workspace_id, month, organization_id) do update
        set used_usd = spend.used_usd
    `
  }
  const crossed = await recordCrossings(tx, organization_id, workspace_id === null ? null : [workspace_id])
  await emitCrossings(tx, by, organization_id, crossed)
}

/**
 * Adds amounts to the spend of their organization, workspaces, agents and models, and emits events for thresholds that are crossed. A sum
 * above 1e12 fails with the constraint `usd_range`, unless it is capped.
 *
 * Must come last in its transaction, because all other reports of the organization wait until the commit. The organization is
 * locked first, to avoid deadlocks.
 */
export async function addSpend(tx: Tx, by: Actor, organization_id: string, all: Spent[], over: Over = 'refuse'): Promise<void> {
  const spent = all.filter(({ usd }) => usd > 0)
  if (spent.length === 0) return
  await Promise.all([
    addToOrganization(tx, organization_id, spent, over),
    addToWorkspaces(tx, organization_id, spent, over),
    addToAgents(tx, organization_id, spent, over),
    spent.some(({ model }) => model !== null) ? addToModels(tx, organization_id, spent, over) : null,
  ])
  const workspace_ids = [...new Set(spent.map(({ scope }) => scope.workspace_id))]
  const [ofOrganization, ofWorkspaces] = await Promise.all([
    recordCrossings(tx, organization_id, null),
    recordCrossings(tx, organization_id, workspace_ids),
  ])
  await emitCrossings(tx, by, organization_id, [...ofOrganization, ...ofWorkspaces])
}

/** Never fails because of the amount: the money is spent. */
export const chargeModel = (tx: Tx, by: Actor, scope: ProjectScope, model: string | null, usd: number): Promise<void> =>
  addSpend(tx, by, scope.organization_id, [{ scope, agent: `model:${model}`, model, usd }], 'cap')
