/** Fans events out to notifications of users. */
import { declarationOf } from '../../core/events/catalogue.ts'
import type { NotificationSpec } from '../../core/events/declaration.ts'
import { mayDecide } from '../../core/gates/approval.ts'
import { markRead, type NewNotification, notify } from '../../core/notifications/notify.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { type ExecutionStatus, isFinal, isTransition } from '../../core/records/executions.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Tx } from '../../sql/index.ts'
import { type DrainedEvent, organizationsOf } from '../outbox/drained-event.ts'
import { type Audience, recipients } from './recipients.ts'

function shownIn(data: Record<string, unknown>, key: 'gate' | 'execution'): { id: string; status: string }[] {
  const { id, status } = (data[key] ?? {}) as { id?: unknown; status?: unknown }
  return typeof id === 'string' && typeof status === 'string' ? [{ id, status }] : []
}

/** Whether an execution ended in a status that cancels the gates for which it waited. */
const cancelsGates = ({ status }: { status: string }): boolean =>
  isTransition('awaiting_gate', status as ExecutionStatus) && isFinal(status as ExecutionStatus)

const idsOf = (shown: { id: string }[]): string[] => shown.map(({ id }) => id)

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

type SettledGates = { gates: string[]; readers: string[] }

async function findSettled(tx: Tx, events: DrainedEvent[]): Promise<SettledGates> {
  const decided = idsOf(events.flatMap(({ data }) => shownIn(data, 'gate')).filter(({ status }) => status !== 'pending'))
  const others = await Promise.all([cancelledGates(tx, events), supersededGates(tx, events)])
  const gates = [...decided, ...others.flat()]
  return { gates, readers: await readersOf(tx, gates) }
}

/**
 * Marks what was just written as read for people who lost the role or left the group since the recipients were read, and where the gate
 * was cancelled or deleted. Their inboxes are locked, as they are where someone is removed: that is either seen here, or sees what is
 * written here.
 */
async function readUndecidable(tx: Tx, organization_ids: string[], asking: NewNotification[]): Promise<void> {
  const asked = asking.flatMap(({ resource_id, user_ids }) => user_ids.map((user_id) => ({ gate_id: resource_id, user_id })))
  if (asked.length === 0) return
  const undecidable = await tx<{ gate_id: string; user_id: string }[]>`
    select asked.gate_id, asked.user_id
    from unnest(
      ${asked.map(({ gate_id }) => gate_id)}::uuid[],
      ${asked.map(({ user_id }) => user_id)}::uuid[]
    ) as asked (gate_id, user_id)
    left join gates
      on gates.id = asked.gate_id
      and gates.organization_id = any(${organization_ids}::uuid[])
    where gates.id is null
      or gates.status <> 'pending'
      or not ${mayDecide(sql`asked.user_id`)}
  `
  if (undecidable.length === 0) return
  await markRead(
    tx,
    sql`notification.type = 'gate_pending' and (notification.user_id, notification.resource_id) in (
      select *
      from unnest(
        ${undecidable.map(({ user_id }) => user_id)}::uuid[],
        ${undecidable.map(({ gate_id }) => gate_id)}::uuid[]
      )
    )`,
  )
}

/** Whether the workspace and project of an event still exist; otherwise no one is notified. */
const hasExistingScope = ({ workspace_id, workspace_name, project_id, project_name }: DrainedEvent): boolean =>
  (workspace_id === null || workspace_name !== null) && (project_id === null || project_name !== null)

/** The notifications of an event, one per text: the text may depend on the recipient. */
function notificationsOf(event: DrainedEvent, spec: NotificationSpec, audience: Audience | undefined): NewNotification[] {
  const { user_ids, names } = audience ?? { user_ids: [], names: {} }
  const byTitle = new Map<string, NewNotification>()
  for (const user_id of user_ids) {
    if (spec.except?.includes(user_id)) continue
    const text = spec.text(user_id, names)
    const known = byTitle.get(text.title)
    if (known) known.user_ids.push(user_id)
    else
      byTitle.set(text.title, {
        source_id: event.id,
        scope: { organization_id: event.organization_id, workspace_id: event.workspace_id, project_id: event.project_id },
        type: spec.type,
        ...text,
        resource_type: spec.resource[0],
        resource_id: spec.resource[1],
        data: {
          event: event.name,
          event_id: event.id,
          organization_name: event.organization_name,
          workspace_name: event.workspace_name,
          project_name: event.project_name,
          ...spec.data,
        },
        user_ids: [user_id],
      })
  }
  return [...byTitle.values()]
}

/** The ids of a spec. One that is malformed would make the statement fail for the whole batch. */
function checkIds({
  resource,
  mentions = [],
  people = [],
  groups = [],
  requirement_id,
  dispatch_ids = [],
}: NotificationSpec): void {
  const given = [...mentions, ...people, ...groups, ...dispatch_ids, requirement_id].filter(
    (id) => id !== null && id !== undefined,
  )
  for (const id of [resource[1], ...given]) if (!isUuid(id)) throw new Error(`${id} is not a UUID`)
}

/** Skips an event with unexpected data and logs the error, so that it does not block later events. */
function skipOnError<Result>(event: DrainedEvent, work: () => Result[]): Result[] {
  try {
    return work()
  } catch (error) {
    log.error({ error, event_id: event.id, event: event.name }, 'no notifications for an event with unexpected data')
    return []
  }
}

type UserTargets = { notifications: NewNotification[]; settled: SettledGates }

export async function findUsers(tx: Tx, events: DrainedEvent[]): Promise<UserTargets> {
  const specs = events.filter(hasExistingScope).flatMap((event) =>
    skipOnError(event, (): [DrainedEvent, NotificationSpec][] => {
      const spec = declarationOf(event.name)?.notifies?.(event)
      if (!spec) return []
      checkIds(spec)
      return [[event, spec]]
    }),
  )
  const [byEvent, settled] = await Promise.all([recipients(tx, specs), findSettled(tx, events)])
  const notifications = specs.flatMap(([event, spec]) =>
    skipOnError(event, () => notificationsOf(event, spec, byEvent.get(event.id))),
  )
  return { notifications, settled }
}

export async function fanOutToUsers(tx: Tx, events: DrainedEvent[], { notifications, settled }: UserTargets): Promise<void> {
  const { gates, readers } = settled
  await notify(tx, notifications, readers)
  const asking = notifications.filter(({ type }) => type === 'gate_pending')
  if (readers.length > 0 || asking.some(({ resource_id }) => gates.includes(resource_id)))
    await markRead(tx, sql`notification.type = 'gate_pending' and notification.resource_id = any(${gates}::uuid[])`)
  await readUndecidable(tx, organizationsOf(events), asking)
}
