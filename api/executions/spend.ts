/** Spend: what executions report, counted in the calendar month (UTC) in which it is reported. */
import type { Tx } from '../../sql/index.ts'
import type { LocatedInProject } from '../plugins/exchange.ts'

/**
 * Adds to what the organization and the workspace spent this month. Each upsert locks its one row, so that
 * reports at once add up; the organization always goes first, so that none waits in a circle.
 */
export async function addSpend(tx: Tx, { organization_id, workspace_id }: LocatedInProject, cost_usd: number): Promise<void> {
  if (cost_usd === 0) return
  await tx`
    insert into organization_spend as spend (organization_id, month, used_usd)
    values (${organization_id}, date_trunc('month', now())::date, ${cost_usd})
    on conflict (organization_id, month) do update
      set used_usd = spend.used_usd + excluded.used_usd
  `
  await tx`
    insert into workspace_spend as spend (workspace_id, organization_id, month, used_usd)
    values (${workspace_id}, ${organization_id}, date_trunc('month', now())::date, ${cost_usd})
    on conflict (workspace_id, month) do update
      set used_usd = spend.used_usd + excluded.used_usd
  `
}
