/** Budgets as tests set and read them. */
import type { Actor, Box, Site } from '../support/signalbox.ts'

/** One told event of a budget. */
export interface Told {
  name: string
  workspace_id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests look at
  budget: any
}

/** The budget events of an organization, in their order. */
export const told = (box: Box, organization_id: string) =>
  box.sql<Told[]>`
    select name, workspace_id, data -> 'budget' as budget
    from outbox
    where organization_id = ${organization_id}
      and name like 'budget.%'
    order by id
  `

/** Their names, each with whose it is. */
export const names = async (box: Box, organization_id: string): Promise<string[]> =>
  (await told(box, organization_id)).map(({ name, workspace_id }) => `${workspace_id ? 'workspace' : 'organization'} ${name}`)

/** Sets the limit of an organization. */
export const limitOrganization = (owner: Actor, site: Site, budget_monthly_limit_usd: number | null) =>
  owner.put(`/api/v1/organizations/${site.organization.id}`, { budget_monthly_limit_usd })

/** A place whose workspace has a limit, with a running execution. */
export async function limited(box: Box, actor: Actor, limit: number | null, threshold = 0.8) {
  const site = await box.site(actor)
  const execution = await box.running(actor, site.project.id)
  await actor.put(`/api/v1/workspaces/${site.workspace.id}`, {
    budget_monthly_limit_usd: limit,
    budget_alert_threshold: threshold,
  })
  return { site, execution }
}
