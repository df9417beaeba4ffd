/** What a user has not read. */
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { notificationColumns, type StoredNotification, shownNotification } from '../notifications/notifications.ts'

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
 *
 * @param closed the organizations that require a second factor which the user lacks
 * @param limits how many notifications and failed deployments are read
 */
export async function readUnread(
  db: Queryable,
  user_id: string,
  closed: Set<string>,
  limits: { items: number; failed: number },
): Promise<Unread> {
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
    each.id === null ? [] : [shownNotification(each, closed.has(each.organization_id))],
  )
  return { unread_count, items, failed }
}
