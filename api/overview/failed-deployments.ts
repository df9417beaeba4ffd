/** The failed deployments that need a user: those they were notified of, and that nothing has made up for. */

import { withRollout } from '../../core/rollouts.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Delivered } from '../deployment-hooks/outcome.tsx'
import { isMember, type Person } from './overview.ts'

/** A dispatch that was given up, or whose rollout failed or is unknown. */
export interface FailedDeployment extends Delivered {
  id: string
  environment: string
  version: string | null
  at: string
  hook_name: string
  project_name: string
  workspace_name: string
  organization_name: string
}

/**
 * Those of some dispatches that the user may see, without those that succeeded after all, or after which their hook deployed something.
 *
 * @param unread the dispatches whose notifications the user has not read yet
 */
export async function listFailedDeployments(
  db: Queryable,
  user: Person,
  unread: { dispatch_id: string; organization_id: string }[],
): Promise<FailedDeployment[]> {
  if (unread.length === 0) return []
  const organization_ids = [...new Set(unread.map(({ organization_id }) => organization_id))]
  return db<FailedDeployment[]>`
    select
      dispatch.id, dispatch.environment, dispatch.status, rollout.version,
      case when rollout.id is not null then jsonb_build_object('state', rollout.state) end as rollout,
      coalesce(rollout.reported_at, rollout.unknown_at, dispatch.completed_at, dispatch.created_at) as at,
      -- Subqueries: a join may be planned as a loop over all rows, each of which looks up the dispatches.
      (
        select name from deployment_hooks where id = dispatch.hook_id and organization_id = dispatch.organization_id
      ) as hook_name,
      (select name from projects where id = dispatch.project_id and organization_id = dispatch.organization_id) as project_name,
      (
        select name from workspaces where id = dispatch.workspace_id and organization_id = dispatch.organization_id
      ) as workspace_name,
      organization.name as organization_name
    from dispatches as dispatch
    join organization_members as member
      on member.organization_id = dispatch.organization_id
      and ${isMember(user)}
    join organizations as organization
      on organization.id = dispatch.organization_id
      and organization.deleted_at is null
    left join workspace_members as inside
      on inside.workspace_id = dispatch.workspace_id
      and inside.organization_id = dispatch.organization_id
      and inside.user_id = member.user_id
    ${withRollout}
    where dispatch.id = any(${unread.map(({ dispatch_id }) => dispatch_id)}::uuid[])
      and dispatch.organization_id = any(${organization_ids}::uuid[])
      and (member.role in ('owner', 'admin') or inside.user_id is not null)
      and coalesce(rollout.state, '') <> 'succeeded'
      and not exists (
        select 1
        from dispatches as newer
        left join rollouts as reported
          on reported.id = newer.id
          and reported.organization_id = newer.organization_id
        where newer.hook_id = dispatch.hook_id
          and newer.organization_id = dispatch.organization_id
          and newer.created_at > dispatch.created_at
          and newer.event <> 'test.ping'
          and (reported.state = 'succeeded' or reported.id is null and newer.status = 'succeeded')
      )
    order by at desc, dispatch.id desc
  `
}
