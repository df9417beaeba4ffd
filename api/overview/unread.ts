/** What a user has not read. */
import type { Lack } from '../../core/notifications/withheld.ts'
import { sql } from '../../core/platform/database.ts'
import { withRollout } from '../../core/rollouts/rollouts.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Delivered } from '../dispatches/outcome.tsx'
import { notificationColumns, type StoredNotification, shownNotification } from '../notifications/notifications.ts'
import { isMember, type Person } from './overview.ts'

interface Unread {
  unread_count: number
  items: ReturnType<typeof shownNotification<StoredNotification>>[]
  /** The dispatches that unread notifications call failed, those of the newest first. */
  failed: { dispatch_id: string; organization_id: string }[]
}

/** There is one row at least, with all but the notification. */
type Row = StoredNotification & { unread_count: number; failed: Unread['failed']; id: string | null }

const isUnread = sql`
  notification.user_id = inbox.user_id
  and notification.read_at is null
  and notification.sequence > inbox.read_through
`

/**
 * The newest unread notifications of a user, how many there are, and of which failed deployments all of them tell.
 * @param closed the organizations that require a second factor or a sign-on which the user lacks
 * @param limits how many notifications and failed deployments are read
 */
export async function readUnread(
  db: Queryable,
  user_id: string,
  closed: Map<string, Lack>,
  limits: { items: number; failed: number },
) {
  const rows = await db<Row[]>`
    select inbox.unread as unread_count, failed.dispatches as failed, notification.*
    from notification_inboxes as inbox
    cross join lateral (
      select
        coalesce(
          jsonb_agg(jsonb_build_object('dispatch_id', resource_id, 'organization_id', organization_id)),
          '[]'
        ) as dispatches
      from (
        select resource_id, organization_id
        from notifications as notification
        where ${isUnread}
          and notification.type = 'deployment_failed'
        order by notification.sequence desc
        limit ${limits.failed}
      ) as newest
    ) as failed
    left join lateral (
      select ${notificationColumns}
      from notifications as notification
      where ${isUnread}
      order by notification.sequence desc
      limit ${limits.items}
    ) as notification on true
    where inbox.user_id = ${user_id}
  `
  const [{ unread_count, failed } = { unread_count: 0, failed: [] }] = rows
  const items = rows.flatMap(({ unread_count: _, failed: __, ...each }) =>
    each.id === null ? [] : [shownNotification(each, closed.get(each.organization_id) ?? null)],
  )
  return { unread_count, items, failed }
}

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
    join organization_members as member on member.organization_id = dispatch.organization_id and ${isMember(user)}
    join organizations as organization on organization.id = dispatch.organization_id and organization.deleted_at is null
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
        left join rollouts as reported on reported.id = newer.id and reported.organization_id = newer.organization_id
        where newer.hook_id = dispatch.hook_id
          and newer.organization_id = dispatch.organization_id
          and newer.created_at > dispatch.created_at
          and newer.event <> 'test.ping'
          and (reported.state = 'succeeded' or reported.id is null and newer.status = 'succeeded')
      )
    order by at desc, dispatch.id desc
  `
}
