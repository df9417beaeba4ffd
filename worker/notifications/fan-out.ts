/** Fans events out to notifications of users. */

import { declarationOf } from '../../core/events/catalogue.ts'
import type { NotificationSpec } from '../../core/events/declaration.ts'
import type { NewNotification } from '../../core/notifications/notify.ts'
import { log } from '../../core/platform/log.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Tx } from '../../sql/index.ts'
import { type DrainedEvent, organizationsOf } from '../outbox/drained-event.ts'
import { findSettled, notifyAndRead, type SettledGates } from './ended-gates.ts'
import { type Audience, audienceOf, recipients } from './recipients.ts'

/** Whether the workspace and project of an event still exist; otherwise no one is notified. */
const hasExistingScope = ({ workspace_id, workspace_name, project_id, project_name }: DrainedEvent): boolean =>
  (workspace_id === null || workspace_name !== null) && (project_id === null || project_name !== null)

/** The notifications of an event, one per text: the text may depend on the recipient. */
function notificationsOf(event: DrainedEvent, spec: NotificationSpec, { user_ids, names }: Audience): NewNotification[] {
  const byTitle = new Map<string, NewNotification>()
  for (const user_id of user_ids) {
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
function checkIds({ resource, mentions = [], people = [], groups = [], requirement_id, dispatch_id }: NotificationSpec): void {
  const given = [...mentions, ...people, ...groups, requirement_id, dispatch_id].filter((id) => id !== null && id !== undefined)
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

/** What follows from a batch of events for users. */
interface UserTargets {
  /** In the order of the events. */
  notifications: NewNotification[]
  settled: SettledGates
}

/** The users that a batch of events concerns. */
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
    skipOnError(event, () => notificationsOf(event, spec, audienceOf(event, spec, byEvent))),
  )
  return { notifications, settled }
}

/** Writes the notifications of a batch of events, and reads those that the events have settled. */
export const fanOutToUsers = (tx: Tx, events: DrainedEvent[], { notifications, settled }: UserTargets): Promise<void> =>
  notifyAndRead(tx, organizationsOf(events), notifications, settled)
