/** Notifications that ask people for decisions which they can no longer make. */
import { mayDecide } from '../../core/gate-rules.ts'
import { announceAfterCommit } from '../../core/notifications/notify.ts'
import { sql } from '../../core/platform/database.ts'
import type { Tx } from '../../sql/index.ts'

/** The gates of an organization that unread notifications of a user ask to decide. The inbox is locked, after all else that is locked. */
async function askedGates(tx: Tx, organization_id: string, user_id: string): Promise<string[]> {
  // Made if it is missing, so that there is a row to lock: the first notification may be written at the same time.
  await tx`
    insert into notification_inboxes as inbox (user_id)
    values (${user_id})
    on conflict (user_id) do update
      set sequence = inbox.sequence
  `
  const asked = await tx<{ gate_id: string }[]>`
    -- Materialized: PostgreSQL may otherwise read the unread notifications of all gates while they are few, and keep the plan.
    with unread as materialized (
      select resource_id, type
      from notifications
      where user_id = ${user_id}
        and organization_id = ${organization_id}
        and read_at is null
    )
    select distinct resource_id as gate_id
    from unread
    where type = 'gate_pending'
  `
  return asked.map(({ gate_id }) => gate_id)
}

/** Marks as read what asks a user to decide gates of an organization that they can no longer decide: their role or their groups have changed. */
export async function readUndecidable(tx: Tx, organization_id: string, user_id: string): Promise<void> {
  const asked = await askedGates(tx, organization_id, user_id)
  if (asked.length === 0) return
  // In a statement of its own: to join them with the notifications, PostgreSQL may read all gates of the organization while they are few,
  // and keep the plan.
  const decidable = await tx<{ id: string }[]>`
    select id
    from gates
    where id = any(${asked}::uuid[])
      and organization_id = ${organization_id}
      and ${mayDecide(sql`${user_id}::uuid`)}
  `
  const kept = new Set(decidable.map(({ id }) => id))
  const { count } = await tx`
    update notifications as notification
    set read_at = now()
    from notification_inboxes as inbox
    where notification.user_id = ${user_id}
      and inbox.user_id = notification.user_id
      and notification.organization_id = ${organization_id}
      and notification.type = 'gate_pending'
      and notification.read_at is null
      and notification.sequence > inbox.read_through
      and notification.resource_id = any(${asked.filter((id) => !kept.has(id))}::uuid[])
  `
  if (count > 0) announceAfterCommit(tx, [user_id])
}
