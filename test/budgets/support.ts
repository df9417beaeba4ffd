/** Setting budgets and reading their events. */
import type { Actor, Box, Site } from '../support/signalbox.ts'

/** An event of a budget. */
export interface BudgetEvent {
  name: string
  workspace_id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests check the shape
  budget: any
}

/** The budget events of an organization, in order. */
export const budgetEvents = (box: Box, organization_id: string) =>
  box.sql<BudgetEvent[]>`
    select name, workspace_id, data -> 'budget' as budget
    from outbox
    where organization_id = ${organization_id}
      and name like 'budget.%'
    order by id
  `

/** Their names, each with its level. */
export const budgetEventNames = async (box: Box, organization_id: string): Promise<string[]> =>
  (await budgetEvents(box, organization_id)).map(
    ({ name, workspace_id }) => `${workspace_id ? 'workspace' : 'organization'} ${name}`,
  )

export const limitOrganization = (owner: Actor, site: Site, budget_monthly_limit_usd: number | null) =>
  owner.put(`/api/v1/organizations/${site.organization.id}`, { budget_monthly_limit_usd })

/** A site whose workspace has a limit, with a running execution. */
export async function siteWithLimit(box: Box, actor: Actor, limit: number | null, threshold = 0.8) {
  const site = await box.site(actor)
  const execution = await box.running(actor, site.project.id)
  await actor.put(`/api/v1/workspaces/${site.workspace.id}`, {
    budget_monthly_limit_usd: limit,
    budget_alert_threshold: threshold,
  })
  return { site, execution }
}
