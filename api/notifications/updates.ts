import { sql } from '../../core/platform/database.ts'
import { notificationColumns, type StoredNotification, shownNotifications } from './notifications.ts'
import type { Notification } from './schema.ts'

/** The state of a stream. */
export interface StreamPosition {
  user_id: string
  /** The session or personal token that it was opened with. */
  session_id: string | null
  token_id: string | null
  /** The sequence of the last notification sent; null to start with new ones. */
  cursor: number | null
}

/** What a stream has to send. */
export interface StreamUpdate {
  /** The sequence of the newest notification. */
  sequence: number
  unread: number
  desktop: boolean
  notifications: (Notification & { sequence: number })[]
}

type Row = StoredNotification & {
  index: number
  newest: number
  unread: number
  desktop: boolean
  sequence: number | null
}

/**
 * Reads the updates of many streams in one statement.
 *
 * @param streams the position of each, and how many notifications it can take
 * @returns the update of each stream, in order; undefined if its session or token has ended
 */
export async function readUpdates(streams: { position: StreamPosition; room: number }[]): Promise<(StreamUpdate | undefined)[]> {
  const parameters = streams.map(({ position: { user_id, session_id, token_id, cursor }, room }, index) => ({
    user_id,
    session_id,
    token_id,
    cursor,
    room,
    index,
  }))
  const rows = await sql<Row[]>`
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
        from sessions
        where id = stream.session_id
          and ended_at is null
      )
      or (
        select true
        from personal_tokens
        where id = stream.token_id
          and (expires_at is null or expires_at > now())
      )
    order by stream.index, notification.sequence
  `
  const updates: (StreamUpdate | undefined)[] = streams.map(() => undefined)
  for (const { index, newest, unread, desktop } of rows)
    updates[index] ??= { sequence: newest, unread, desktop, notifications: [] }
  const told = rows.filter((row): row is Row & { sequence: number } => row.sequence !== null)
  const shown = await shownNotifications(sql, told, ({ index }) => parameters[index]?.user_id ?? '')
  for (const { index, newest: _, unread: __, desktop: ___, ...notification } of shown)
    updates[index]?.notifications.push(notification)
  return updates
}
