/** Prints the organization's budget and its audit log. */

import { onTerminal } from '../../cli/support/terminal.js'
import type { ApiClient, Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { checked, dim, printStep } from '../support/timeline.ts'

interface Budget {
  budget_used_usd: number
  budget_monthly_limit_usd: number
}

interface Inbox {
  items: { type: string; title: string }[]
}

/** The execution exceeded the alert threshold, so the owner gets one notification. */
export async function showBudget(api: ApiClient, { id }: Resource): Promise<void> {
  const { budget_used_usd, budget_monthly_limit_usd } = await api.get<Budget>(`/organizations/${id}/budget`)
  printStep('signalbox', `counts ${budget_used_usd} of ${budget_monthly_limit_usd} USD spent this month`)
  for (const deadline = performance.now() + 10_000; performance.now() < deadline; await Bun.sleep(20)) {
    const { items } = await api.get<Inbox>('/notifications')
    const alerts = items.filter(({ type }) => type === 'budget_alert')
    if (alerts.length === 0) continue
    printStep('ada', `${checked(alerts.length === 1, 'is notified, once:')} ${alerts[0]?.title}`)
    return
  }
  throw new Failure('No budget alert arrived within 10 seconds. Is a worker running?')
}

/** Prints the audit log. */
export async function showTrail(api: ApiClient, { id }: Resource): Promise<void> {
  const path = `/organizations/${id}/audit-logs`
  const { total, items } = await api.get<{ total: number; items: { created_at: string; action: string; detail: string }[] }>(
    `${path}?page_size=100`,
  )
  console.log(`\n  The audit trail, ${total} entries  ${dim(`GET /api/v1${path}`)}`)
  for (const { created_at, action, detail } of items.reverse()) {
    console.log(`    ${dim(created_at.slice(11, 23))}  ${action.padEnd(26)} ${dim(onTerminal(detail))}`)
  }
}
