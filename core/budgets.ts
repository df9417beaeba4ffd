/** Budgets: what a calendar month (UTC, by the database's clock) has cost, and what follows when a limit comes near. */
import type { Queryable, Tx } from '../sql/index.ts'
import type { Actor, Place, ProjectPlace } from './actors.ts'
import { emitAll, type NewEvent } from './events/outbox.ts'
import { sql } from './platform/database.ts'

/** One budget as reports and events show it. */
export interface BudgetFigures {
  budget_monthly_limit_usd: number | null
  budget_used_usd: number
  budget_alert_threshold: number
  /** Used divided by limit; 0 without a limit, 1 with a limit of 0. */
  usage_percent: number
}

/** A workspace's budget. */
export interface WorkspaceBudget extends BudgetFigures {
  workspace_id: string
  workspace_name: string
}

/** An organization's budget, with those of the workspaces that it has now. */
export interface OrganizationBudget extends BudgetFigures {
  workspaces_total_used_usd: number
  workspaces_total_limit_usd: number | null
  workspaces: WorkspaceBudget[]
}

/** A place that has a budget: an organization, where `workspace_id` is null, or a workspace. */
type BudgetPlace = Pick<Place, 'organization_id' | 'workspace_id'>

const thisMonth = sql`date_trunc('month', now())::date`

const organizations = sql`
  organizations as place
  left join organization_spend as spend on spend.organization_id = place.id and spend.month = ${thisMonth}
`

const workspaces = sql`
  workspaces as place
  left join workspace_spend as spend
    on spend.workspace_id = place.id
    and spend.organization_id = place.organization_id
    and spend.month = ${thisMonth}
`

const figures = sql`
  place.budget_monthly_limit_usd,
  coalesce(spend.used_usd, 0) as budget_used_usd,
  place.budget_alert_threshold,
  case
    when place.budget_monthly_limit_usd = 0 then 1
    else coalesce(spend.used_usd / place.budget_monthly_limit_usd, 0)
  end as usage_percent
`

/** What an organization and its workspaces have spent this month: one statement, so that all of it is of one moment. */
export async function organizationBudget(db: Queryable, organization_id: string): Promise<OrganizationBudget> {
  const [budget] = await db<[OrganizationBudget]>`
    with listed as (
      select place.id as workspace_id, place.name as workspace_name, ${figures}
      from ${workspaces}
      where place.organization_id = ${organization_id}
    )
    select
      ${figures},
      coalesce((select sum(budget_used_usd) from listed), 0) as workspaces_total_used_usd,
      (select sum(budget_monthly_limit_usd) from listed) as workspaces_total_limit_usd,
      coalesce((select jsonb_agg(to_jsonb(listed) order by workspace_id desc) from listed), '[]') as workspaces
    from ${organizations}
    where place.id = ${organization_id}
  `
  return budget
}

async function workspaceBudget(db: Queryable, { organization_id, workspace_id }: BudgetPlace): Promise<WorkspaceBudget> {
  const [budget] = await db<[WorkspaceBudget]>`
    select place.id as workspace_id, place.name as workspace_name, ${figures}
    from ${workspaces}
    where place.id = ${workspace_id}
      and place.organization_id = ${organization_id}
  `
  return budget
}

/**
 * Whose limit of this month is reached: then no execution is created or started, and no model is asked.
 *
 * No lock is needed: who looks while a report is under way comes before it or after it.
 *
 * @returns null where there is money left
 */
export async function exhaustedBudget(db: Queryable, { organization_id, workspace_id }: BudgetPlace) {
  const [exhausted] = await db<{ whose: 'organization' | 'workspace' }[]>`
    select 'organization' as whose
    from ${organizations}
    where place.id = ${organization_id}
      and coalesce(spend.used_usd, 0) >= place.budget_monthly_limit_usd
    union all
    select 'workspace'
    from ${workspaces}
    where place.id = ${workspace_id}
      and place.organization_id = ${organization_id}
      and coalesce(spend.used_usd, 0) >= place.budget_monthly_limit_usd
    limit 1
  `
  return exhausted?.whose ?? null
}

/** What is added to a month. */
interface Charge {
  usd: number
  /** A sum that would not fit: what a caller reports is refused, what a model has cost already is counted up to the bound. */
  over: 'refuse' | 'cap'
}

/** The largest sum that the type `usd` holds. */
const LARGEST_USD = 1e12

const raised = ({ over }: Charge) =>
  over === 'cap' ? sql`least(spend.used_usd + excluded.used_usd, ${LARGEST_USD})` : sql`spend.used_usd + excluded.used_usd`

/** Adds to an organization's month, and holds its row until the commit: reports take turns there. */
const addToOrganization = (tx: Tx, { organization_id }: BudgetPlace, charge: Charge) => tx`
  insert into organization_spend as spend (organization_id, month, used_usd)
  values (${organization_id}, ${thisMonth}, ${charge.usd})
  on conflict (organization_id, month) do update
    set used_usd = ${raised(charge)}
`

const addToWorkspace = (tx: Tx, { organization_id, workspace_id }: BudgetPlace, charge: Charge) => tx`
  insert into workspace_spend as spend (workspace_id, organization_id, month, used_usd)
  values (${workspace_id}, ${organization_id}, ${thisMonth}, ${charge.usd})
  on conflict (workspace_id, month, organization_id) do update
    set used_usd = ${raised(charge)}
`

const addToAgent = (tx: Tx, { organization_id, workspace_id, project_id }: ProjectPlace, agent: string, charge: Charge) => tx`
  insert into agent_spend as spend (organization_id, month, workspace_id, project_id, agent, used_usd)
  values (${organization_id}, ${thisMonth}, ${workspace_id}, ${project_id}, ${agent}, ${charge.usd})
  on conflict (organization_id, month, workspace_id, project_id, agent) do update
    set used_usd = ${raised(charge)}
`

type Kind = 'alert' | 'exhausted'

/**
 * Writes down what a budget has crossed, unless that is on record for this month and epoch.
 *
 * The spend row is locked, and read after it was: whoever changes a limit locks it too, so that each sees the other's
 * figures, or is seen.
 *
 * @returns what was crossed just now
 */
const cross = (tx: Tx, { organization_id, workspace_id }: BudgetPlace) => tx<{ kind: Kind }[]>`
  insert into budget_crossings (organization_id, workspace_id, month, kind, epoch)
  select ${organization_id}, ${workspace_id}, ${thisMonth}, crossing.kind, place.budget_epoch
  from ${workspace_id === null ? organizations : workspaces}
  cross join lateral (
    values
      (
        'alert',
        case
          when place.budget_monthly_limit_usd = 0 then place.budget_alert_threshold < 1
          else coalesce(spend.used_usd, 0) > place.budget_monthly_limit_usd * place.budget_alert_threshold
        end
      ),
      ('exhausted', coalesce(spend.used_usd, 0) >= place.budget_monthly_limit_usd)
  ) as crossing (kind, is_crossed)
  where ${workspace_id === null ? tx`place.id = ${organization_id}` : tx`place.id = ${workspace_id} and place.organization_id = ${organization_id}`}
    and crossing.is_crossed
  on conflict do nothing
  returning kind
`

async function eventsOf(tx: Tx, place: BudgetPlace, crossed: { kind: Kind }[]): Promise<NewEvent[]> {
  if (crossed.length === 0) return []
  const { organization_id, workspace_id } = place
  const budget = workspace_id === null ? await organizationBudget(tx, organization_id) : await workspaceBudget(tx, place)
  return crossed.map(({ kind }) => ({
    place: { organization_id, workspace_id, project_id: null },
    name: `budget.${kind}` as const,
    data: { budget },
  }))
}

/** Whether an update concerns a budget. */
export const changesBudget = (fields: object): boolean =>
  'budget_monthly_limit_usd' in fields || 'budget_alert_threshold' in fields

/**
 * Judges one budget as it stands, and tells what it has crossed: called by whoever has changed its limit or threshold,
 * in the transaction of that change.
 */
export async function judgeBudget(tx: Tx, by: Actor, place: BudgetPlace): Promise<void> {
  const nothing: Charge = { usd: 0, over: 'refuse' }
  await (place.workspace_id === null ? addToOrganization(tx, place, nothing) : addToWorkspace(tx, place, nothing))
  await emitAll(tx, by, await eventsOf(tx, place, await cross(tx, place)))
}

async function add(tx: Tx, by: Actor, place: ProjectPlace, agent: string, charge: Charge): Promise<void> {
  if (charge.usd === 0) return
  const ofOrganization = { organization_id: place.organization_id, workspace_id: null }
  await Promise.all([
    addToOrganization(tx, place, charge),
    addToWorkspace(tx, place, charge),
    addToAgent(tx, place, agent, charge),
  ])
  const [organization, workspace] = await Promise.all([cross(tx, ofOrganization), cross(tx, place)])
  await emitAll(tx, by, [...(await eventsOf(tx, ofOrganization, organization)), ...(await eventsOf(tx, place, workspace))])
}

/**
 * Counts what an agent reports: for the organization, the workspace, and the agent in the project. Tells what the two
 * budgets have crossed by it. A sum above 1e12 fails with the constraint `usd_range`.
 *
 * It comes last in its transaction: until the commit, every other report of the organization waits. The organization
 * goes before the workspace, so that none waits in a circle.
 */
export const addSpend = (tx: Tx, by: Actor, place: ProjectPlace, agent: string, usd: number): Promise<void> =>
  add(tx, by, place, agent, { usd, over: 'refuse' })

/** Counts in the same way what a model of our own has cost. It never fails: the money is spent. */
export const chargeModel = (tx: Tx, by: Actor, place: ProjectPlace, model: string | null, usd: number): Promise<void> =>
  add(tx, by, place, `model:${model}`, { usd, over: 'cap' })
