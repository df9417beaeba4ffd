/** Finds the dispatch that a report token belongs to. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import { isReportToken } from '../../core/security/report-token.ts'
import type { ProjectResource } from './request-context.ts'

/**
 * The dispatch of a path, if the token is good for it: until 7 days after the deadline of its rollout or, while there is none,
 * after the dispatch was made.
 */
export async function findReported(token: string, dispatch_id: string): Promise<ProjectResource | undefined> {
  if (!isReportToken(token, dispatch_id)) return undefined
  const [found] = await sql<Omit<ProjectResource, 'role'>[]>`
    select dispatch.id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id
    from dispatches as dispatch
    join rollouts as rollout
      on rollout.id = dispatch.id
      and rollout.organization_id = dispatch.organization_id
    where dispatch.id = ${dispatch_id}
      and ${isActiveOrganization(sql`dispatch.organization_id`)}
      and coalesce(rollout.deadline_at, dispatch.created_at) > now() - interval '7 days'
  `
  return found && { ...found, role: 'member' }
}
