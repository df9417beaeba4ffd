import { sql } from '../../core/database.ts'
import { announceAfterCommit } from '../../core/notifications.ts'
import { notFound } from '../../core/problems.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { Caller } from '../plugins/exchange.ts'
import { offsetOf } from '../plugins/pages.ts'
import type { Notification, NotificationPage, NotificationQuery, ReadAllInput } from './schema.ts'

/** The columns of a notification as the API shows one. */
export const notificationColumns = sql`
  notification.id, notification.type, notification.title, notification.body, notification.organization_id,
  notification.workspace_id, notification.project_id, notification.resource_type, notification.resource_id,
  notification.data, notification.read_at is not null as is_read, notification.read_at, notification.created_at
`

/** Counters stand on every row; without a notification on the page they stand alone. */
type Row = Notification & { total: number; unread: number; id: string | null }

/** A page of a user's notifications, newest first. Counters and rows are of one moment, and nothing is counted for them. */
export async function listNotifications(db: Queryable, user_id: string, query: NotificationQuery): Promise<NotificationPage> {
  const { page, page_size, unread_only } = query
  const rows = await db<Row[]>`
    select inbox.total, inbox.unread, notification.*
    from notification_inboxes as inbox
    left join lateral (
      select ${notificationColumns}
      from notifications as notification
      where notification.user_id = inbox.user_id
        ${unread_only ? sql`and notification.read_at is null` : sql``}
      order by notification.sequence desc
      limit ${page_size} offset ${offsetOf(query)}
    ) as notification on true
    where inbox.user_id = ${user_id}
  `
  const [{ total, unread } = { total: 0, unread: 0 }] = rows
  const items = rows.flatMap(({ total: _, unread: __, ...item }) => (item.id === null ? [] : [item]))
  return { total: unread_only ? unread : total, unread_count: unread, page, page_size, items }
}

/** Whoever changes notifications holds their inbox first: two at once take turns, and never wait for each other. */
const lockInbox = (tx: Tx, user_id: string) => tx`
  select from notification_inboxes where user_id = ${user_id} for no key update
`

/**
 * Marks one of the caller's notifications as read. Reading it again changes nothing.
 *
 * @throws Problem `not_found`, also for somebody else's
 */
export async function readNotification(tx: Tx, by: Caller, notification_id: string): Promise<Notification> {
  await lockInbox(tx, by.id)
  const [notification] = await tx<Notification[]>`
    update notifications as notification
    set read_at = coalesce(read_at, now())
    where id = ${notification_id}
      and user_id = ${by.id}
    returning ${notificationColumns}
  `
  if (!notification) throw notFound('notification')
  announceAfterCommit(tx, [by.id])
  return notification
}

/**
 * Marks all of the caller's notifications as read, or those that came until a moment.
 *
 * @returns how many were unread
 */
export async function readAllNotifications(tx: Tx, by: Caller, { before }: ReadAllInput): Promise<{ updated: number }> {
  await lockInbox(tx, by.id)
  const { count } = await tx`
    update notifications
    set read_at = now()
    where user_id = ${by.id}
      and read_at is null
      and (${before ?? null}::timestamptz is null or created_at <= ${before ?? null})
  `
  if (count > 0) announceAfterCommit(tx, [by.id])
  return { updated: count }
}
