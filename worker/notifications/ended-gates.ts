/** Notifications that ask for a decision are read by themselves once their gate is not pending any more. */
import { type ExecutionStatus, isFinal, isTransition } from '../../core/executions/records.ts'
import { mayDecide } from '../../core/gate-rules.ts'
import { announceAfterCommit, type NewNotification, notify } from '../../core/notifications/notify.ts'
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Tx } from '../../sql/index.ts'
import { type DrainedEvent, organizationsOf } from '../outbox/drained-event.ts'

/** The gate or execution that an event shows. */
function shownIn(data: Record<string, unknown>, key: 'gate' | 'execution'): { id: string; status: string }[] {
  const { id, status } = (data[key] ?? {}) as { id?: unknown; status?: unknown }
  return typeof id === 'string' && typeof status === 'string' ? [{ id, status }] : []
}

/** Whether an execution ended in a status that cancels the gates for which it waited. */
const cancelsGates = ({ status }: { status: string }): boolean =>
  isTransition('awaiting_gate', status as ExecutionStatus) && isFinal(status as ExecutionStatus)

const idsOf = (shown: { id: string }[]): string[] => shown.map(({ id }) => id)

/** The gates that executions have cancelled with their end. */
async function cancelledGates(tx: Tx, events: DrainedEvent[]): Promise<string[]> {
  const ended = idsOf(events.flatMap(({ data }) => shownIn(data, 'execution')).filter(cancelsGates))
  if (ended.length === 0) return []
  const found = await tx<{ id: string }[]>`
    select id
    from gates
    where execution_id = any(${ended}::uuid[])
      and organization_id = any(${organizationsOf(events)}::uuid[])
      and status <> 'pending'
  `
  return idsOf(found)
}

/** The gates that new ones with a subject have replaced. */
async function supersededGates(tx: Tx, events: DrainedEvent[]): Promise<string[]> {
  const opened = events.filter(({ name, data }) => name === 'gate.pending' && (data.gate as { subject?: unknown })?.subject)
  if (opened.length === 0) return []
  const found = await tx<{ id: string }[]>`
    select id
    from gates
    where superseded_by = any(${idsOf(opened.flatMap(({ data }) => shownIn(data, 'gate')))}::uuid[])
      and organization_id = any(${organizationsOf(opened)}::uuid[])
  `
  return idsOf(found)
}

/** The gates that events have ended. */
async function endedGates(tx: Tx, events: DrainedEvent[]): Promise<string[]> {
  const decided = idsOf(events.flatMap(({ data }) => shownIn(data, 'gate')).filter(({ status }) => status !== 'pending'))
  return [...decided, ...(await Promise.all([cancelledGates(tx, events), supersededGates(tx, events)])).flat()]
}

/** The users with an unread notification that asks for a decision on one of these gates. */
async function readersOf(tx: Tx, gate_ids: string[]): Promise<string[]> {
  if (gate_ids.length === 0) return []
  const found = await tx<{ user_id: string }[]>`
    select distinct user_id
    from notifications
    where type = 'gate_pending'
      and read_at is null
      and resource_id = any(${gate_ids}::uuid[])
  `
  return found.map(({ user_id }) => user_id)
}

/** Marks what asks for a decision as read, where the `notification` fulfils a condition. The inboxes are locked. */
async function read(tx: Tx, condition: Fragment): Promise<void> {
  const changed = await tx<{ user_id: string }[]>`
    update notifications as notification
    set read_at = now()
    from notification_inboxes as inbox
    where inbox.user_id = notification.user_id
      and notification.type = 'gate_pending'
      and notification.read_at is null
      and ${condition}
      and notification.sequence > inbox.read_through
    returning notification.user_id
  `
  announceAfterCommit(
    tx,
    changed.map(({ user_id }) => user_id),
  )
}

/** The gates that events have ended, and the users who are still asked for a decision on them. */
export interface SettledGates {
  gates: string[]
  readers: string[]
}

export async function findSettled(tx: Tx, events: DrainedEvent[]): Promise<SettledGates> {
  const gates = await endedGates(tx, events)
  return { gates, readers: await readersOf(tx, gates) }
}

/** Writes notifications, and marks those as read whose gates are settled. */
export async function notifyAndRead(
  tx: Tx,
  organization_ids: string[],
  notifications: NewNotification[],
  { gates, readers }: SettledGates,
): Promise<void> {
  await notify(tx, notifications, readers)
  const isAskedNow = notifications.some(({ type, resource_id }) => type === 'gate_pending' && gates.includes(resource_id))
  if (readers.length > 0 || isAskedNow) await read(tx, sql`notification.resource_id = any(${gates}::uuid[])`)
  await readUndecidable(
    tx,
    organization_ids,
    notifications.filter(({ type }) => type === 'gate_pending'),
  )
}

/**
 * Marks what was just written as read for people who lost the role or left the group since the recipients were read. Their inboxes are
 * locked, as they are where someone is removed: that is either seen here, or sees what is written here.
 */
async function readUndecidable(tx: Tx, organization_ids: string[], asking: NewNotification[]): Promise<void> {
  const asked = asking.flatMap(({ resource_id, user_ids }) => user_ids.map((user_id) => ({ gate_id: resource_id, user_id })))
  if (asked.length === 0) return
  const undecidable = await tx<{ gate_id: string; user_id: string }[]>`
    select gates.id as gate_id, asked.user_id
    from unnest(
      ${asked.map(({ gate_id }) => gate_id)}::uuid[],
      ${asked.map(({ user_id }) => user_id)}::uuid[]
    ) as asked (gate_id, user_id)
    join gates on gates.id = asked.gate_id
    where gates.organization_id = any(${organization_ids}::uuid[])
      and not ${mayDecide(sql`asked.user_id`)}
  `
  if (undecidable.length === 0) return
  await read(
    tx,
    sql`(notification.user_id, notification.resource_id) in (
      select *
      from unnest(
        ${undecidable.map(({ user_id }) => user_id)}::uuid[],
        ${undecidable.map(({ gate_id }) => gate_id)}::uuid[]
      )
    )`,
  )
}
