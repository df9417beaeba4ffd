/** Finds the dispatch that a report token belongs to. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import { isReportToken } from '../../core/security/report-token.ts'
import type { ProjectResource } from './request-context.ts'

/**
 * The dispatch on which a report with a token is made: that of the path, if the token is valid for it. A redelivery sends the body of
 * the first dispatch, which may contain the first one's report URL or token. Then a report with it is about the oldest of them that
 * waits for an outcome, because a late report of the first must not decide what became of the redelivery; if none waits, about the
 * newest. What was never delivered waits for nothing.
 *
 * The token is valid until 7 days after the deadline of the rollout or, while there is none, after the dispatch was made.
 */
export async function findReported(token: string, dispatch_id: string): Promise<ProjectResource | undefined> {
  if (!isReportToken(token, dispatch_id)) return undefined
  const [found] = await sql<Omit<ProjectResource, 'role'>[]>`
    with named as materialized (
      select dispatch.id, dispatch.organization_id, body.has_report
      from dispatches as dispatch
      left join dispatch_bodies as body
        on body.dispatch_id = dispatch.id
        and body.organization_id = dispatch.organization_id
      where dispatch.id = ${dispatch_id}
    ),
    sent as materialized (
      select id, organization_id
      from named
      union all
      select redelivery.id, redelivery.organization_id
      from named
      join dispatches as redelivery
        on redelivery.redelivery_of = named.id
        and redelivery.organization_id = named.organization_id
      where named.has_report
    )
    select dispatch.id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id
    from sent
    join dispatches as dispatch
      on dispatch.id = sent.id
      and dispatch.organization_id = sent.organization_id
    join rollouts as rollout
      on rollout.id = dispatch.id
      and rollout.organization_id = dispatch.organization_id
    cross join lateral (
      select rollout.state = 'in_progress' or rollout.state = 'awaiting' and dispatch.status in ('pending', 'succeeded') as waits
    ) as outcome
    where coalesce(rollout.deadline_at, dispatch.created_at) > now() - interval '7 days'
      and ${isActiveOrganization(sql`dispatch.organization_id`)}
    order by outcome.waits desc, case when outcome.waits then dispatch.id end, dispatch.id desc
    limit 1
  `
  return found && { ...found, role: 'member' }
}
