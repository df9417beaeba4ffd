/** What the model costs is spend of whom it works for, as what executions report is. */
import type { ProjectPlace } from '../../core/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'

/**
 * Counts what a call has cost, for the organization and the workspace. It comes last in its transaction: until the
 * commit, every other report of the organization waits. The organization goes first, so that none waits in a circle.
 */
export async function chargeModel(tx: Tx, { organization_id, workspace_id }: ProjectPlace, usd: number): Promise<void> {
  if (usd === 0) return
  await tx`
    insert into organization_spend as spend (organization_id, month, used_usd)
    values (${organization_id}, date_trunc('month', now())::date, ${usd})
    on conflict (organization_id, month) do update
      set used_usd = spend.used_usd + excluded.used_usd
  `
  await tx`
    insert into workspace_spend as spend (workspace_id, organization_id, month, used_usd)
    values (${workspace_id}, ${organization_id}, date_trunc('month', now())::date, ${usd})
    on conflict (workspace_id, month) do update
      set used_usd = spend.used_usd + excluded.used_usd
  `
}

/**
 * Whose limit of this month is reached: then no model is asked.
 *
 * @returns null where there is money left
 */
export async function exhaustedBudget(db: Queryable, { organization_id, workspace_id }: ProjectPlace) {
  const [exhausted] = await db<{ whose: 'organization' | 'workspace' }[]>`
    select 'organization' as whose
    from organizations as place
    left join organization_spend as spend
      on spend.organization_id = place.id
      and spend.month = date_trunc('month', now())::date
    where place.id = ${organization_id}
      and coalesce(spend.used_usd, 0) >= place.budget_monthly_limit_usd
    union all
    select 'workspace'
    from workspaces as place
    left join workspace_spend as spend
      on spend.workspace_id = place.id
      and spend.month = date_trunc('month', now())::date
    where place.id = ${workspace_id}
      and coalesce(spend.used_usd, 0) >= place.budget_monthly_limit_usd
    limit 1
  `
  return exhausted?.whose ?? null
}
