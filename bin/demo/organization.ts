/** What the demo shows of the organization: its budget, and who did what in it. */
import type { ApiClient, Thing } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { checked, dim, tell } from '../support/timeline.ts'

interface Budget {
  budget_used_usd: number
  budget_monthly_limit_usd: number
  usage_percent: number
}

/** The execution brought the month over the threshold: that is told once, and is on record. */
export async function showBudget(api: ApiClient, { id }: Thing): Promise<void> {
  const { budget_used_usd, budget_monthly_limit_usd, usage_percent } = await api.get<Budget>(`/organizations/${id}/budget`)
  const alert = usage_percent > 0.8
  tell(
    'signalbox',
    checked(
      alert,
      `raises budget.alert: ${budget_used_usd} of ${budget_monthly_limit_usd} USD, ${Math.round(usage_percent * 100)} %`,
    ),
  )
  if (!alert) throw new Failure(`The month is at ${usage_percent * 100} % of the budget, which is no alert.`)
}

/** Who did what, from the audit log. */
export async function showTrail(api: ApiClient, { id }: Thing): Promise<void> {
  const path = `/organizations/${id}/audit-logs`
  const { total, items } = await api.get<{ total: number; items: { created_at: string; action: string; detail: string }[] }>(
    `${path}?page_size=100`,
  )
  console.log(`\n  The audit trail, ${total} entries  ${dim(`GET /api/v1${path}`)}`)
  for (const { created_at, action, detail } of items.reverse()) {
    console.log(`    ${dim(created_at.slice(11, 23))}  ${action.padEnd(26)} ${dim(detail)}`)
  }
}
