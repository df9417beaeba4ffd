/** From an event to the users whom it concerns. */

import { type Message, notify } from '../../core/notifications/notify.ts'
import * as say from '../../core/notifications/texts.ts'
import type { NotificationType } from '../../core/notifications/types.ts'
import { log } from '../../core/platform/log.ts'
import type { Json, Tx } from '../../sql/index.ts'
import type { DrainedEvent } from '../outbox/drained-event.ts'
import { workspaceAdmins } from './workspace-admins.ts'

/** What an event means to those whom it concerns. */
interface Telling {
  type: NotificationType
  /** Its kind and id. */
  resource: [type: string, id: string]
  /** What the notification keeps of the event. */
  data: Record<string, unknown>
  /** What is said to somebody. */
  said: (user_id: string) => say.Said
  /** Whether the workspace's admins are told; without a workspace, owner and admins of the organization. */
  admins?: boolean
  /** Whether the owner is told, unless it was they who did it. */
  owner?: boolean
  /** Others who are told, if they have access. */
  people?: (string | null)[]
  /** Whose author is told, if they have access. */
  requirement_id?: string
}

// biome-ignore lint/suspicious/noExplicitAny: as the outbox holds it; each event's reader knows what it wrote
type Data = any

const execution =
  (type: NotificationType, text: typeof say.executionCompleted) =>
  (event: DrainedEvent): Telling => {
    const { id, requirement_id, agent, started_by, cost_usd }: Data = (event.data as Data).execution
    return {
      type,
      resource: ['execution', id],
      data: { requirement_id, agent, cost_usd },
      said: () => text((event.data as Data).execution, event),
      people: [started_by],
      requirement_id,
    }
  }

const budget =
  (text: typeof say.budgetAlert) =>
  (event: DrainedEvent): Telling => {
    const figures: Data = (event.data as Data).budget
    const { budget_monthly_limit_usd, budget_used_usd, budget_alert_threshold, usage_percent } = figures
    return {
      type: 'budget_alert',
      resource: event.workspace_id ? ['workspace', event.workspace_id] : ['organization', event.organization_id],
      data: { budget_monthly_limit_usd, budget_used_usd, budget_alert_threshold, usage_percent },
      said: () => text(figures, event),
      admins: true,
    }
  }

/** The events that users are told of; all others concern none. */
const TELLINGS: Record<string, (event: DrainedEvent) => Telling> = {
  'gate.pending': (event) => {
    const { gate }: Data = event.data
    return {
      type: 'gate_pending',
      resource: ['gate', gate.id],
      data: { gate_name: gate.name, execution_id: gate.execution_id },
      said: () => say.gatePending(gate, event),
      admins: true,
    }
  },
  'execution.completed': execution('execution_completed', say.executionCompleted),
  'execution.failed': execution('execution_failed', say.executionFailed),
  'budget.alert': budget(say.budgetAlert),
  'budget.exhausted': budget(say.budgetExhausted),
  'member.added': (event) => {
    const { member }: Data = event.data
    return {
      type: 'member_added',
      resource: ['organization_member', member.user_id],
      data: { user_id: member.user_id, user_name: member.user_name, role: member.role },
      said: (user_id) => (user_id === member.user_id ? say.youWereAdded(member, event) : say.memberAdded(member, event)),
      people: [member.user_id],
      owner: true,
    }
  },
}

/** Whether that where it happened is still there: what is gone concerns nobody. */
const isThere = ({ workspace_id, workspace_name, project_id, project_name }: DrainedEvent): boolean =>
  (workspace_id === null || workspace_name !== null) && (project_id === null || project_name !== null)

/** Who is to be told, of those who have access at this moment. */
async function recipients(tx: Tx, tellings: [DrainedEvent, Telling][]): Promise<Map<string, string[]>> {
  const wanted = tellings.map(([{ id, organization_id, workspace_id, actor_id }, telling]) => ({
    id,
    organization_id,
    workspace_id,
    actor_id,
    admins: telling.admins ?? false,
    owner: telling.owner ?? false,
    people: (telling.people ?? []).filter((person) => person !== null),
    requirement_id: telling.requirement_id ?? null,
  }))
  const found = await tx<{ event_id: string; user_id: string }[]>`
    with event as (
      select *
      from jsonb_to_recordset(${tx.json(wanted as Json)}) as event (
        id uuid, organization_id uuid, workspace_id uuid, actor_id uuid,
        admins boolean, owner boolean, people uuid[], requirement_id uuid
      )
    ),
    candidate as (
      select place.id, admin.user_id
      from event as place
      cross join lateral (${workspaceAdmins}) as admin
      where place.admins
      union
      select event.id, member.user_id
      from event
      join organization_members as member
        on member.organization_id = event.organization_id
        and member.role = 'owner'
      where event.owner
        and member.user_id is distinct from event.actor_id
      union
      select event.id, unnest(event.people)
      from event
      union
      select event.id, (
        select created_by from requirements where id = event.requirement_id and organization_id = event.organization_id
      )
      from event
    )
    select candidate.id as event_id, candidate.user_id
    from candidate
    join event on event.id = candidate.id
    join organization_members as member
      on member.organization_id = event.organization_id
      and member.user_id = candidate.user_id
    left join workspace_members as inside
      on inside.workspace_id = event.workspace_id
      and inside.organization_id = event.organization_id
      and inside.user_id = candidate.user_id
    where event.workspace_id is null
      or member.role in ('owner', 'admin')
      or inside.user_id is not null
  `
  const byEvent = new Map<string, string[]>()
  for (const { event_id, user_id } of found) {
    const known = byEvent.get(event_id)
    if (known) known.push(user_id)
    else byEvent.set(event_id, [user_id])
  }
  return byEvent
}

/** One message for each thing that is said of an event: most say the same to all. */
function messagesOf(event: DrainedEvent, telling: Telling, user_ids: string[]): Message[] {
  const messages = new Map<string, Message>()
  for (const user_id of user_ids) {
    const said = telling.said(user_id)
    const known = messages.get(said.title)
    if (known) known.user_ids.push(user_id)
    else
      messages.set(said.title, {
        source_id: event.id,
        place: { organization_id: event.organization_id, workspace_id: event.workspace_id, project_id: event.project_id },
        type: telling.type,
        ...said,
        resource_type: telling.resource[0],
        resource_id: telling.resource[1],
        data: {
          event: event.name,
          event_id: event.id,
          organization_name: event.organization_name,
          workspace_name: event.workspace_name,
          project_name: event.project_name,
          ...telling.data,
        },
        user_ids: [user_id],
      })
  }
  return [...messages.values()]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Holds a telling to its ids: one that is none would break the statement for the whole batch. */
function requireIds({ resource: [, id], people = [], requirement_id }: Telling): void {
  for (const each of [id, ...people.filter((person) => person !== null), requirement_id ?? id]) {
    if (!UUID.test(String(each))) throw new Error(`${each} is no id`)
  }
}

/** An event that cannot be put into words must not hold up all that come after it: it is told to nobody, and to the log. */
function inWords<Made>(event: DrainedEvent, make: () => Made[]): Made[] {
  try {
    return make()
  } catch (error) {
    log.error({ error, event_id: event.id, event: event.name }, 'an event is not told to users: its data is not as expected')
    return []
  }
}

/** Writes the notifications of a batch of events, in the order of the events. */
export async function fanOutToUsers(tx: Tx, events: DrainedEvent[]): Promise<void> {
  const tellings = events.filter(isThere).flatMap((event) =>
    inWords(event, (): [DrainedEvent, Telling][] => {
      const telling = TELLINGS[event.name]?.(event)
      if (!telling) return []
      requireIds(telling)
      return [[event, telling]]
    }),
  )
  if (tellings.length === 0) return
  const byEvent = await recipients(tx, tellings)
  await notify(
    tx,
    tellings.flatMap(([event, telling]) => inWords(event, () => messagesOf(event, telling, byEvent.get(event.id) ?? []))),
  )
}
