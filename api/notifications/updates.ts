import { sql } from '../../core/platform/database.ts'
import { notificationColumns } from './notifications.ts'
import type { Notification } from './schema.ts'

/** Where a stream is. */
export interface Position {
  user_id: string
  /** What it was opened with: a session, or a personal token. */
  session_id: string | null
  token_id: string | null
  /** The sequence of the last notification that it has seen; null where it begins with what is to come. */
  cursor: number | null
}

/** What a stream has not told yet. */
export interface News {
  /** Of the newest notification that there is. */
  sequence: number
  unread: number
  desktop: boolean
  notifications: (Notification & { sequence: number })[]
}

type Row = Notification & {
  index: number
  newest: number
  unread: number
  desktop: boolean
  sequence: number | null
}

/**
 * What is new for many streams, all of one moment.
 *
 * @param streams where each is, and for how many notifications it has room
 * @returns for each, in their order; undefined where its session or token has ended
 */
export async function readUpdates(streams: { position: Position; room: number }[]): Promise<(News | undefined)[]> {
  const asked = streams.map(({ position: { user_id, session_id, token_id, cursor }, room }, index) => ({
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
    from jsonb_to_recordset(${sql.json(asked)}) as stream (
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
  const news: (News | undefined)[] = streams.map(() => undefined)
  for (const { index, newest, unread, desktop, sequence, ...notification } of rows) {
    news[index] ??= { sequence: newest, unread, desktop, notifications: [] }
    if (sequence !== null) news[index].notifications.push({ sequence, ...notification })
  }
  return news
}
