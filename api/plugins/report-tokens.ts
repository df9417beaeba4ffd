/** Finds the dispatch that a report token belongs to. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import { isReportToken } from '../../core/security/report-token.ts'
import type { ProjectResource } from './request-context.ts'

/**
 * The dispatch on which a report with a token is made: that of the path, if the token is valid for it. A redelivery sends the body of
 * the first dispatch: if this contains the first one's report URL or token, a report with it is about the newest redelivery.
 *
 * The token is good until 7 days after the deadline of the rollout or, while there is none, after the dispatch was made.
 */
export async function findReported(token: string, dispatch_id: string): Promise<ProjectResource | undefined> {
  if (!isReportToken(token, dispatch_id)) return undefined
  const [found] = await sql<Omit<ProjectResource, 'role'>[]>`
    select dispatch.id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id
    from dispatches as named
    left join dispatch_bodies as body on body.dispatch_id = named.id and body.organization_id = named.organization_id
    join lateral (
      select *
      from dispatches as dispatch
      -- Redeliveries are newer, which excludes older partitions.
      where dispatch.id >= named.id
        and dispatch.organization_id = named.organization_id
        and (dispatch.id = named.id or dispatch.redelivery_of = named.id and body.has_report)
        and dispatch.report_within_seconds is not null
      order by dispatch.id desc
      limit 1
    ) as dispatch on true
    join rollouts as rollout
      on rollout.id = dispatch.id
      and rollout.organization_id = dispatch.organization_id
    where named.id = ${dispatch_id}
      and ${isActiveOrganization(sql`dispatch.organization_id`)}
      and coalesce(rollout.deadline_at, dispatch.created_at) > now() - interval '7 days'
  `
  return found && { ...found, role: 'member' }
}
