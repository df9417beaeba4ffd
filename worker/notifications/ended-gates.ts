/** Notifications that ask for a decision are read by themselves once their gate is not pending any more. */
import { announceAfterCommit, notify } from '../../core/notifications/notify.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import type { Tx } from '../../sql/index.ts'
import { type DrainedEvent, organizationsOf } from '../outbox/drained-event.ts'

/** Events that end a gate, which they show. */
const OF_GATES = new Set(['gate.approved', 'gate.rejected', 'gate.expired'])
/** Events of executions that end with their pending gates. */
const OF_EXECUTIONS = new Set(['execution.failed', 'execution.cancelled'])

const BATCH = 500

const idIn = (data: Record<string, unknown>, key: string): string[] => {
  const id = (data[key] as { id?: unknown } | undefined)?.id
  return typeof id === 'string' ? [id] : []
}

/** The gates that events have ended. */
async function endedGates(tx: Tx, events: DrainedEvent[]): Promise<string[]> {
  const gates = events.filter(({ name }) => OF_GATES.has(name)).flatMap(({ data }) => idIn(data, 'gate'))
  const ended = events.filter(({ name }) => OF_EXECUTIONS.has(name))
  if (ended.length === 0) return gates
  const found = await tx<{ id: string }[]>`
    select id
    from gates
    where execution_id = any(${ended.flatMap(({ data }) => idIn(data, 'execution'))}::uuid[])
      and organization_id = any(${organizationsOf(ended)}::uuid[])
      and status <> 'pending'
  `
  return [...gates, ...found.map(({ id }) => id)]
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

/** Marks what asks for a decision on these gates as read. The inboxes are locked. */
async function read(tx: Tx, gate_ids: string[]): Promise<void> {
  const changed = await tx<{ user_id: string }[]>`
    update notifications as notification
    set read_at = now()
    from notification_inboxes as inbox
    where inbox.user_id = notification.user_id
      and notification.type = 'gate_pending'
      and notification.read_at is null
      and notification.resource_id = any(${gate_ids}::uuid[])
      and notification.sequence > inbox.read_through
    returning notification.user_id
  `
  announceAfterCommit(
    tx,
    changed.map(({ user_id }) => user_id),
  )
}

/** Writes notifications, and marks those as read whose gates the events have ended. */
export async function notifyAndRead(tx: Tx, events: DrainedEvent[], notifications: Parameters<typeof notify>[1]): Promise<void> {
  const gates = await endedGates(tx, events)
  const readers = await readersOf(tx, gates)
  await notify(tx, notifications, readers)
  const isAskedNow = notifications.some(({ type, resource_id }) => type === 'gate_pending' && gates.includes(resource_id))
  if (readers.length > 0 || isAskedNow) await read(tx, gates)
}

/** Marks as read what still asks for decisions on gates that have ended: earlier versions left it unread. */
export async function readEndedGates(): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const asked = await sql<{ gate_id: string; organization_id: string }[]>`
      select distinct resource_id as gate_id, organization_id
      from notifications
      where type = 'gate_pending'
        and read_at is null
        and resource_id > ${last}
      order by resource_id
      limit ${BATCH}
    `
    if (asked.length === 0) return
    last = asked.at(-1)?.gate_id ?? last
    await transaction(async (tx) => {
      const ended = await tx<{ id: string }[]>`
        select id
        from gates
        where id = any(${asked.map(({ gate_id }) => gate_id)}::uuid[])
          and organization_id = any(${[...new Set(asked.map(({ organization_id }) => organization_id))]}::uuid[])
          and status <> 'pending'
      `
      const gates = ended.map(({ id }) => id)
      const readers = await readersOf(tx, gates)
      if (readers.length === 0) return
      await notify(tx, [], readers)
      await read(tx, gates)
    })
  }
}
