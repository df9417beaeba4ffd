import { type Lack, whoLacks, withheldText } from '../../core/notifications/withheld.ts'
import { sql } from '../../core/platform/database.ts'
import { announceChange, userPath } from '../../core/tenants/changes.ts'
import { notificationUrl } from '../../core/tenants/links.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { isLiveSession } from '../credentials/live-sessions.ts'
import { following, type Paged, paged, pageLimit } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { notFound } from '../problems.ts'
import type { Notification, NotificationQuery, ReadAllInput } from './schema.ts'

/** Whether a notification is read, individually or by "mark all as read". Needs its `inbox` joined. */
const isRead = sql`(notification.read_at is not null or notification.sequence <= inbox.read_through)`

/** The columns of a notification as the API shows it. Needs its `inbox` joined. */
export const notificationColumns = sql`
  notification.id, notification.type, notification.title, notification.body, notification.organization_id,
  notification.workspace_id, notification.project_id, notification.resource_type, notification.resource_id,
  notification.data, ${isRead} as is_read,
  coalesce(
    notification.read_at,
    (
      select mark.read_at
      from notification_read_marks as mark
      where mark.user_id = notification.user_id
        and mark.through >= notification.sequence
      order by mark.through
      limit 1
    )
  ) as read_at,
  notification.created_at
`

/** A notification as it is stored: the address of its page is not, as `PUBLIC_URL` may change. */
export type StoredNotification = Omit<Notification, 'url'>

/** A notification as the API shows it. @param lack what the reader lacks that its organization requires */
export const shownNotification = <Stored extends StoredNotification>(
  stored: Stored,
  lack: Lack,
): Stored & { url: string | null } => ({
  ...stored,
  ...(lack !== null && {
    ...withheldText(String((stored.data as { organization_name?: string }).organization_name), lack),
    data: {},
  }),
  url: notificationUrl(stored),
})

/** Who reads notifications, and with what. */
type Reader = Pick<Caller, 'session_id' | 'token_id'> & { user_id: string }

/** Notifications as the API shows them. @param readerOf who reads a notification */
async function shownNotifications<Stored extends StoredNotification>(
  db: Queryable,
  stored: Stored[],
  readerOf: (notification: Stored) => Reader,
): Promise<(Stored & { url: string | null })[]> {
  const recipients = stored.map((each) => ({ ...readerOf(each), organization_id: each.organization_id }))
  const lacks = await whoLacks(db, recipients)
  return stored.map((each, index) => shownNotification(each, lacks[index] ?? null))
}

/** Every row contains the counters; an empty page is one row with only the counters. */
type Row = StoredNotification & { sequence: number; total: number; unread: number; id: string | null }

/** A page of a user's notifications, newest first, with the counters of the inbox, in one statement. */
export async function listNotifications(db: Queryable, by: Caller, query: Paged<NotificationQuery>) {
  const { id: user_id, session_id, token_id } = by
  const { unread_only } = query
  const rows = await db<Row[]>`
    select inbox.total, inbox.unread, notification.*
    from notification_inboxes as inbox
    left join lateral (
      select ${notificationColumns}, notification.sequence
      from notifications as notification
      where notification.user_id = inbox.user_id
        ${following(sql`notification.sequence`, query.after)}
        ${unread_only ? sql`and notification.read_at is null and notification.sequence > inbox.read_through` : sql``}
      order by notification.sequence desc
      ${pageLimit(query)}
    ) as notification on true
    where inbox.user_id = ${user_id}
  `
  const [{ total, unread } = { total: 0, unread: 0 }] = rows
  const stored = rows.flatMap(({ total: _, unread: __, ...item }) => (item.id === null ? [] : [item]))
  const items = await shownNotifications(db, stored, () => ({ user_id, session_id, token_id }))
  return { ...paged(query, unread_only ? unread : total, items), unread_count: unread }
}

/** Every change of notifications locks the inbox first, to avoid deadlocks. */
const lockInbox = (tx: Tx, user_id: string) => tx<{ sequence: number; unread: number }[]>`
  select sequence, unread from notification_inboxes where user_id = ${user_id} for no key update
`

/**
 * Marks one of the caller's notifications as read. Idempotent.
 * @throws Problem `not_found`, also for notifications of other users
 */
export async function readNotification(tx: Tx, by: Caller, notification_id: string): Promise<Notification> {
  await lockInbox(tx, by.id)
  await tx`
    update notifications as notification
    set read_at = now()
    from notification_inboxes as inbox
    where notification.id = ${notification_id}
      and notification.user_id = ${by.id}
      and inbox.user_id = notification.user_id
      and not ${isRead}
  `
  const [notification] = await tx<StoredNotification[]>`
    select ${notificationColumns}
    from notifications as notification
    join notification_inboxes as inbox on inbox.user_id = notification.user_id
    where notification.id = ${notification_id} and notification.user_id = ${by.id}
  `
  const [shown] = await shownNotifications(tx, notification ? [notification] : [], () => ({ ...by, user_id: by.id }))
  if (!shown) throw notFound('notification')
  announceChange(tx, userPath(by.id))
  return shown
}

/** The last notification of a user up to a time, and how many up to it are unread. */
const unreadUntil = (tx: Tx, user_id: string, before: string) => tx<{ through: number; unread: number }[]>`
  select last.sequence as through, count(unread.id) as unread
  from (
    select sequence
    from notifications
    where user_id = ${user_id}
      and created_at <= ${before}
    order by sequence desc
    limit 1
  ) as last
  join notification_inboxes as inbox on inbox.user_id = ${user_id}
  left join notifications as unread
    on unread.user_id = inbox.user_id
    and unread.read_at is null
    and unread.sequence > inbox.read_through
    and unread.sequence <= last.sequence
  group by last.sequence
`

/**
 * Marks all of the caller's notifications as read, or those up to a time. Writes one row, however many they are.
 * @returns how many were unread
 */
export async function readAllNotifications(tx: Tx, by: Caller, { before }: ReadAllInput): Promise<{ updated: number }> {
  const [inbox] = await lockInbox(tx, by.id)
  const wholeInbox = inbox && { through: inbox.sequence, unread: inbox.unread }
  const [range] = before === undefined ? [wholeInbox] : await unreadUntil(tx, by.id, before)
  if (!range || range.unread === 0) return { updated: 0 }
  await tx`insert into notification_read_marks (user_id, through) values (${by.id}, ${range.through})`
  await tx`
    update notification_inboxes
    set read_through = ${range.through}, unread = unread - ${range.unread}
    where user_id = ${by.id}
  `
  announceChange(tx, userPath(by.id))
  return { updated: range.unread }
}

export interface StreamPosition {
  user_id: string
  /** The session or personal token that it was opened with. */
  session_id: string | null
  token_id: string | null
  /** The sequence of the last notification sent; null to start with new ones. */
  cursor: number | null
}

export interface StreamUpdate {
  /** The sequence of the newest notification. */
  sequence: number
  unread: number
  desktop: boolean
  notifications: (Notification & { sequence: number })[]
}

type UpdateRow = StoredNotification & { index: number; newest: number; unread: number; desktop: boolean; sequence: number | null }

/**
 * Reads the updates of many streams in one statement.
 * @param streams the position of each, and how many notifications it can take
 * @returns the update of each stream, in order; undefined if its session or token has ended
 */
export async function readUpdates(streams: { position: StreamPosition; room: number }[]): Promise<(StreamUpdate | undefined)[]> {
  const parameters = streams.map(({ position: { user_id, session_id, token_id, cursor }, room }, index) => {
    return { user_id, session_id, token_id, cursor, room, index }
  })
  const rows = await sql<UpdateRow[]>`
    select
      stream.index, coalesce(inbox.sequence, 0) as newest, coalesce(inbox.unread, 0) as unread,
      coalesce(preferences.desktop_enabled, false) as desktop, notification.*
    from jsonb_to_recordset(${sql.json(parameters)}) as stream (
      index integer, user_id uuid, session_id uuid, token_id uuid, cursor bigint, room integer
    )
    left join notification_inboxes as inbox on inbox.user_id = stream.user_id
    left join notification_preferences as preferences on preferences.user_id = stream.user_id
    left join lateral (
      select notification.sequence, ${notificationColumns}
      from notifications as notification
      where notification.user_id = stream.user_id
        and notification.sequence > stream.cursor
      order by notification.sequence
      limit stream.room
    ) as notification on true
    -- Not exists(): PostgreSQL may read all sessions for that while they are few, and keep the plan.
    where (
        select true
        from sessions as session
        where id = stream.session_id and ${isLiveSession}
      )
      or (
        select true
        from personal_tokens
        where id = stream.token_id and (expires_at is null or expires_at > now())
      )
    order by stream.index, notification.sequence
  `
  const updates: (StreamUpdate | undefined)[] = streams.map(() => undefined)
  for (const { index, newest, unread, desktop } of rows)
    updates[index] ??= { sequence: newest, unread, desktop, notifications: [] }
  const updated = rows.filter((row): row is UpdateRow & { sequence: number } => row.sequence !== null)
  const shown = await shownNotifications(sql, updated, ({ index }) => parameters[index] as Reader)
  for (const { index, newest: _, unread: __, desktop: ___, ...notification } of shown)
    updates[index]?.notifications.push(notification)
  return updates
}
