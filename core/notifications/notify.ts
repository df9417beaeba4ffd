/** Writes the in-app notifications of users, in the transaction of the change or event that causes them, and marks as read what asks for something that is done or gone. */
import type { Fragment, Json, Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { mailNotifications } from '../jobs/tasks.ts'
import { config } from '../platform/config.ts'
import { announceChange, userPath } from '../tenants/changes.ts'
import type { NotifiedResource } from '../tenants/links.ts'
import type { Scope } from '../tenants/scopes.ts'
import { isMailed, type NotificationType } from './types.ts'

export interface NewNotification {
  /** The event or invitation that causes it. A user gets at most one notification per source. */
  source_id: string
  scope: Scope
  type: NotificationType
  title: string
  body: string
  resource_type: NotifiedResource
  resource_id: string
  data: Record<string, unknown>
  user_ids: string[]
}

/**
 * Writes notifications into the open transaction, adds jobs for their mails, and announces them to the streams after the commit.
 * Deleted users are skipped, and users who have turned off the type.
 *
 * @param readers users whose inboxes the transaction changes afterwards: inboxes are locked once, in the order of their ids
 */
export async function notify(tx: Tx, notifications: NewNotification[], readers: string[] = []): Promise<void> {
  const user_ids = [...new Set(notifications.flatMap((notification) => notification.user_ids))]
  if (user_ids.length === 0) return lockInboxes(tx, readers)
  const organization_ids = [...new Set(notifications.map(({ scope }) => scope.organization_id))]
  // Organizations, users and inboxes are locked in this order, and by their ids, to avoid deadlocks.
  const tenants = await tx<{ id: string }[]>`
    select id
    from organizations
    where id = any(${organization_ids}::uuid[])
      and deleted_at is null
    order by id
    for key share
  `
  const living = new Set(tenants.map(({ id }) => id))
  const rows = notifications
    .filter(({ scope }) => living.has(scope.organization_id))
    .map(({ scope, ...notification }, number) => ({ ...notification, ...scope, number }))
  if (rows.length === 0) return lockInboxes(tx, readers)
  const written = await tx<{ id: string; user_id: string; organization_id: string; type: NotificationType }[]>`
    with message as (
      select *
      from jsonb_to_recordset(${tx.json(rows as unknown as Json)}) as message (
        number integer, source_id uuid, organization_id uuid, workspace_id uuid, project_id uuid, type text,
        title text, body text, resource_type text, resource_id uuid, data jsonb, user_ids uuid[]
      )
    ),
    person as (
      select id
      from users
      where id = any(${user_ids}::uuid[])
        and deleted_at is null
      order by id
      for key share
    ),
    recipient as (
      select message.number, person.id as user_id
      from message
      cross join lateral unnest(message.user_ids) as wanted (user_id)
      join person on person.id = wanted.user_id
      left join notification_preferences as preferences on preferences.user_id = person.id
      where preferences.user_id is null
        or message.type = any(preferences.types)
        -- The type is newer than what the user chose.
        or message.type <> all(preferences.known_types)
    ),
    inbox as (
      insert into notification_inboxes as inbox (user_id, sequence, notified_at)
      select user_id, sum(count), clock_timestamp()
      from (
        select user_id, 1 as count from recipient
        union all
        select user_id, 0 from notification_inboxes where user_id = any(${readers}::uuid[])
      ) as change
      group by user_id
      order by user_id
      on conflict (user_id) do update
        set sequence    = inbox.sequence + excluded.sequence,
            notified_at = greatest(clock_timestamp(), inbox.notified_at + interval '1 millisecond')
      returning user_id, sequence, notified_at
    )
    insert into notifications (
      user_id, sequence, organization_id, workspace_id, project_id, source_id, type, title, body,
      resource_type, resource_id, data, created_at
    )
    select
      recipient.user_id,
      inbox.sequence + 1 - row_number() over (partition by recipient.user_id order by message.number desc),
      message.organization_id, message.workspace_id, message.project_id, message.source_id, message.type,
      message.title, message.body, message.resource_type, message.resource_id, message.data, inbox.notified_at
    from recipient
    join message on message.number = recipient.number
    join inbox on inbox.user_id = recipient.user_id
    order by recipient.user_id, message.number
    on conflict (source_id, user_id) do nothing
    returning id, user_id, organization_id, type
  `
  if (written.length === 0) return
  const mailed = written.filter(({ type }) => isMailed(type))
  if (config.SMTP_URL && mailed.length > 0) await mailNotifications(tx, mailed)
  announceChange(tx, ...usersOf(written).map(userPath))
}

const usersOf = (rows: { user_id: string }[]): string[] => rows.map(({ user_id }) => user_id)

async function lockInboxes(tx: Tx, user_ids: string[]): Promise<void> {
  if (user_ids.length === 0) return
  await pipeline(
    tx,
    tx`select from notification_inboxes where user_id = any(${user_ids}::uuid[]) order by user_id for no key update`,
  )
}

/** Marks each `notification` that fulfils a condition as read. The inboxes are locked. */
export async function markRead(tx: Tx, condition: Fragment): Promise<void> {
  const changed = await tx<{ user_id: string }[]>`
    update notifications as notification
    set read_at = now()
    from notification_inboxes as inbox
    where inbox.user_id = notification.user_id
      and notification.read_at is null
      and notification.sequence > inbox.read_through
      and ${condition}
    returning notification.user_id
  `
  if (changed.length > 0) announceChange(tx, ...usersOf(changed).map(userPath))
}

/** Marks each `notification` that fulfils a condition as read. Called after all else that is locked. */
export async function withdraw(tx: Tx, condition: Fragment): Promise<void> {
  const readers = await tx<{ user_id: string }[]>`
    select distinct notification.user_id
    from notifications as notification
    where notification.read_at is null
      and ${condition}
  `
  if (readers.length === 0) return
  await lockInboxes(tx, usersOf(readers))
  await markRead(tx, condition)
}
