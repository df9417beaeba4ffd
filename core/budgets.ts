/** Budgets: the spend of a calendar month (UTC, by the clock of the database), and the events when it nears its limit. */

import type { Queryable, Tx } from '../sql/index.ts'
import type { Actor } from './actors.ts'
import type { BudgetUsage, WorkspaceBudget } from './budget-usage.ts'
import { emitAll, type NewEvent } from './events/outbox.ts'
import { sql } from './platform/database.ts'
import type { ProjectScope, Scope } from './scopes.ts'

/** The budget of an organization, with those of its current workspaces. */
interface OrganizationBudget extends BudgetUsage {
  workspaces_total_used_usd: number
  workspaces_total_limit_usd: number | null
  workspaces: WorkspaceBudget[]
}

/** What has a budget: a workspace, or an organization if `workspace_id` is null. */
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

/** The spend of a workspace in this month. */
export async function workspaceBudget(db: Queryable, { organization_id, workspace_id }: BudgetScope): Promise<WorkspaceBudget> {
  const [budget] = await db<[WorkspaceBudget]>`
    select scope.id as workspace_id, scope.name as workspace_name, ${usageColumns}
    from ${workspaces}
    where scope.id = ${workspace_id}
      and scope.organization_id = ${organization_id}
  `
  return budget
}

/**
 * Whether the budget of an organization or a workspace is exhausted. If so, no execution may be created or started, and no
 * model may be called. Takes no lock.
 *
 * @returns whose budget is exhausted; null if neither is
 */
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

/** An amount to add to the spend of this month. */
interface Charge {
  usd: number
  /** If the sum exceeds the maximum: `refuse` for reports of callers, `cap` for the cost of a model, which is already spent. */
  over: 'refuse' | 'cap'
}

/** The maximum of the SQL type `usd`. */
const LARGEST_USD = 1e12

const raised = ({ over }: Charge) =>
  over === 'cap' ? sql`least(spend.used_usd + excluded.used_usd, ${LARGEST_USD})` : sql`spend.used_usd + excluded.used_usd`

/** Adds to the spend of the organization. This locks its row until the commit, so that reports are serialized. */
const addToOrganization = (tx: Tx, { organization_id }: BudgetScope, charge: Charge) => tx`
  insert into organization_spend as spend (organization_id, month, used_usd)
  values (${organization_id}, ${thisMonth}, ${charge.usd})
  on conflict (organization_id, month) do update
    set used_usd = ${raised(charge)}
`

const addToWorkspace = (tx: Tx, { organization_id, workspace_id }: BudgetScope, charge: Charge) => tx`
  insert into workspace_spend as spend (workspace_id, organization_id, month, used_usd)
  values (${workspace_id}, ${organization_id}, ${thisMonth}, ${charge.usd})
  on conflict (workspace_id, month, organization_id) do update
    set used_usd = ${raised(charge)}
`

const addToAgent = (tx: Tx, { organization_id, workspace_id, project_id }: ProjectScope, agent: string, charge: Charge) => tx`
  insert into agent_spend as spend (organization_id, month, workspace_id, project_id, agent, used_usd)
  values (${organization_id}, ${thisMonth}, ${workspace_id}, ${project_id}, ${agent}, ${charge.usd})
  on conflict (organization_id, month, workspace_id, project_id, agent) do update
    set used_usd = ${raised(charge)}
`

type CrossingKind = 'alert' | 'exhausted'

/**
 * Records which thresholds a budget has crossed, each once per month and epoch.
 *
 * The caller has locked the spend row. Changes of a limit lock it too, so that a report and a change see each other's values.
 *
 * @returns the thresholds that were crossed just now
 */
const recordCrossings = (tx: Tx, { organization_id, workspace_id }: BudgetScope) => tx<{ kind: CrossingKind }[]>`
  insert into budget_crossings (organization_id, workspace_id, month, kind, epoch)
  select ${organization_id}, ${workspace_id}, ${thisMonth}, crossing.kind, scope.budget_epoch
  from ${workspace_id === null ? organizations : workspaces}
  cross join unnest(array['alert', 'exhausted']) as crossing (kind)
  where ${workspace_id === null ? tx`scope.id = ${organization_id}` : tx`scope.id = ${workspace_id} and scope.organization_id = ${organization_id}`}
    and case
      when crossing.kind = 'exhausted' then coalesce(spend.used_usd, 0) >= scope.budget_monthly_limit_usd
      when scope.budget_monthly_limit_usd = 0 then scope.budget_alert_threshold < 1
      else coalesce(spend.used_usd, 0) > scope.budget_monthly_limit_usd * scope.budget_alert_threshold
    end
  on conflict do nothing
  returning kind
`

async function eventsOf(tx: Tx, scope: BudgetScope, crossed: { kind: CrossingKind }[]): Promise<NewEvent[]> {
  if (crossed.length === 0) return []
  const { organization_id, workspace_id } = scope
  const budget = workspace_id === null ? await organizationBudget(tx, organization_id) : await workspaceBudget(tx, scope)
  return crossed.map(({ kind }) => ({
    scope: { organization_id, workspace_id, project_id: null },
    name: `budget.${kind}` as const,
    data: { budget },
  }))
}

/** Whether an update changes a limit or threshold. */
export const changesBudget = (fields: object): boolean =>
  'budget_monthly_limit_usd' in fields || 'budget_alert_threshold' in fields

/** Emits events for the thresholds that a budget has crossed. To be called in a transaction that changes limit or threshold. */
export async function checkBudget(tx: Tx, by: Actor, scope: BudgetScope): Promise<void> {
  const nothing: Charge = { usd: 0, over: 'refuse' }
  await (scope.workspace_id === null ? addToOrganization(tx, scope, nothing) : addToWorkspace(tx, scope, nothing))
  await emitAll(tx, by, await eventsOf(tx, scope, await recordCrossings(tx, scope)))
}

async function add(tx: Tx, by: Actor, scope: ProjectScope, agent: string, charge: Charge): Promise<void> {
  if (charge.usd === 0) return
  const ofOrganization = { organization_id: scope.organization_id, workspace_id: null }
  await Promise.all([
    addToOrganization(tx, scope, charge),
    addToWorkspace(tx, scope, charge),
    addToAgent(tx, scope, agent, charge),
  ])
  const [organization, workspace] = await Promise.all([recordCrossings(tx, ofOrganization), recordCrossings(tx, scope)])
  await emitAll(tx, by, [...(await eventsOf(tx, ofOrganization, organization)), ...(await eventsOf(tx, scope, workspace))])
}

/**
 * Adds the reported cost of an agent to the spend of its organization, workspace and project, and emits events for thresholds
 * that are crossed. A sum above 1e12 fails with the constraint `usd_range`.
 *
 * Must come last in its transaction, because all other reports of the organization wait until the commit. The organization is
 * locked before the workspace, to avoid deadlocks.
 */
export const addSpend = (tx: Tx, by: Actor, scope: ProjectScope, agent: string, usd: number): Promise<void> =>
  add(tx, by, scope, agent, { usd, over: 'refuse' })

/** Adds the cost of a model call by Signalbox in the same way. Never fails because of the amount: the money is spent. */
export const chargeModel = (tx: Tx, by: Actor, scope: ProjectScope, model: string | null, usd: number): Promise<void> =>
  add(tx, by, scope, `model:${model}`, { usd, over: 'cap' })
