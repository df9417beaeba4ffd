/** Fans events out to notifications of users. */

import type { NewNotification } from '../../core/notifications/notify.ts'
import * as texts from '../../core/notifications/texts.ts'
import type { NotificationType } from '../../core/notifications/types.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Fragment, Json, Tx } from '../../sql/index.ts'
import type { DrainedEvent } from '../outbox/drained-event.ts'
import { notifyAndRead } from './ended-gates.ts'
import { workspaceAdmins } from './workspace-admins.ts'

/** The notification of an event, and its recipients. */
interface NotificationSpec {
  type: NotificationType
  resource: [type: string, id: string]
  /** The fields of the event that the notification contains. */
  data: Record<string, unknown>
  /** @param people the names of those in `mentions`, by id */
  text: (user_id: string, people: Record<string, string>) => texts.NotificationText
  /** Users whom the text names. */
  mentions?: (string | null)[]
  /** Whether to notify the admins of the workspace; without a workspace, the owner and admins of the organization. */
  admins?: boolean
  /** Whether to notify the owner, unless the owner caused the event. */
  owner?: boolean
  /** Users who have already done what the notification asks for. */
  except?: string[]
  /** Other users to notify, if they have access. */
  people?: (string | null)[]
  /** The requirement whose author to notify, if the author has access. */
  requirement_id?: string
  /** The dispatch of which to notify those who caused it; without any who has access, the admins. */
  dispatch_id?: string
}

// biome-ignore lint/suspicious/noExplicitAny: the data of an event; its shape depends on the event
type Data = any

const execution =
  (type: NotificationType, text: typeof texts.executionCompleted) =>
  (event: DrainedEvent): NotificationSpec => {
    const { id, requirement_id, agent, started_by, cost_usd }: Data = (event.data as Data).execution
    return {
      type,
      resource: ['execution', id],
      data: { requirement_id, agent, cost_usd },
      text: (_, people) => text((event.data as Data).execution, event, { ...event.data, people }),
      mentions: [started_by],
      people: [started_by],
      requirement_id,
    }
  }

const budget =
  (text: typeof texts.budgetAlert) =>
  (event: DrainedEvent): NotificationSpec => {
    const usage: Data = (event.data as Data).budget
    const { budget_monthly_limit_usd, budget_used_usd, budget_alert_threshold, usage_percent } = usage
    return {
      type: 'budget_alert',
      resource: event.workspace_id ? ['workspace', event.workspace_id] : ['organization', event.organization_id],
      data: { budget_monthly_limit_usd, budget_used_usd, budget_alert_threshold, usage_percent },
      text: () => text(usage, event),
      admins: true,
    }
  }

/** A deployment that failed. */
const deployment =
  (text: (data: Data, event: DrainedEvent) => texts.NotificationText) =>
  (event: DrainedEvent): NotificationSpec => {
    const { dispatch, hook, rollout = dispatch.rollout }: Data = event.data
    const { id, hook_id, environment } = dispatch
    return {
      type: 'deployment_failed',
      resource: ['dispatch', id],
      data: {
        hook_id,
        hook_name: hook?.name ?? null,
        environment,
        version: rollout?.version ?? null,
        rollout_state: rollout?.state ?? null,
      },
      text: () => text(event.data, event),
      dispatch_id: id,
    }
  }

const notDelivered = deployment(({ dispatch, hook }, at) => texts.notDelivered(dispatch, hook?.name ?? null, at))

/** By event name. Other events cause no notifications. */
const SPECS: Record<string, (event: DrainedEvent) => NotificationSpec | null> = {
  'deployment.failed': (event) => {
    const state: string | undefined = (event.data as Data).dispatch.rollout?.state
    // If its receiver reported on it although it did not accept it, that report counts. (Earlier versions wrote `awaiting`.)
    return [undefined, 'awaiting', 'not_delivered'].includes(state) ? notDelivered(event) : null
  },
  'rollout.failed': deployment(({ dispatch, rollout }, at) => texts.rolloutFailed(dispatch, rollout, at)),
  'rollout.unknown': deployment(({ dispatch, rollout }, at) => texts.rolloutUnknown(dispatch, rollout, at)),
  'gate.pending': (event) => {
    const { gate }: Data = event.data
    return {
      type: 'gate_pending',
      resource: ['gate', gate.id],
      data: { gate_name: gate.name, execution_id: gate.execution_id },
      text: (_, people) => texts.gatePending(gate, event, { ...event.data, people }),
      mentions: [gate.created_by],
      admins: true,
    }
  },
  'gate.expiring': (event) => {
    const { gate }: Data = event.data
    return {
      type: 'gate_pending',
      resource: ['gate', gate.id],
      data: { gate_name: gate.name, execution_id: gate.execution_id, reminder: true },
      text: (_, people) => texts.gateExpiring(gate, event, { ...event.data, people }),
      mentions: [gate.created_by],
      admins: true,
      except: gate.approvals.map((approval: { user_id: string }) => approval.user_id),
    }
  },
  'execution.completed': execution('execution_completed', texts.executionCompleted),
  'execution.failed': execution('execution_failed', texts.executionFailed),
  'budget.alert': budget(texts.budgetAlert),
  'budget.exhausted': budget(texts.budgetExhausted),
  'member.added': (event) => {
    const { member }: Data = event.data
    return {
      type: 'member_added',
      resource: ['organization_member', member.user_id],
      data: { user_id: member.user_id, user_name: member.user_name, role: member.role },
      text: (user_id) => (user_id === member.user_id ? texts.youWereAdded(member, event) : texts.memberAdded(member, event)),
      people: [member.user_id],
      owner: true,
    }
  },
}

/** Whether the workspace and project of an event still exist; otherwise no one is notified. */
const hasExistingScope = ({ workspace_id, workspace_name, project_id, project_name }: DrainedEvent): boolean =>
  (workspace_id === null || workspace_name !== null) && (project_id === null || project_name !== null)

/** Who gets the notification of an event, and the names of the people whom it mentions. */
interface Audience {
  user_ids: string[]
  names: Record<string, string>
}

interface Candidate {
  event_id: string
  user_id: string
  /** Whether to notify this user only if nobody else is concerned. */
  is_substitute: boolean
  names: Record<string, string> | null
}

const mentionsOf = ({ mentions = [] }: NotificationSpec): string[] => mentions.flatMap((id) => (id ? [id] : []))

/** SQL: those who approved the gate of a dispatch, requested it, or started its executions. One row of `event` is an event. */
const causers = (organization_ids: string[]) => {
  const isKnown = (organization_id: Fragment) => sql`${organization_id} = any(${organization_ids}::uuid[])`
  return sql`
    select event.id, concerned.user_id, false as is_substitute
    from event
    join dispatches as dispatch
      on dispatch.id = event.dispatch_id
      and dispatch.organization_id = event.organization_id
      and ${isKnown(sql`dispatch.organization_id`)}
    cross join lateral (
      select dispatch.requested_by as user_id
      union all
      select approval.user_id
      from gate_approvals as approval
      where approval.gate_id = dispatch.gate_id
        and approval.organization_id = event.organization_id
        and ${isKnown(sql`approval.organization_id`)}
      union all
      select execution.started_by
      from gates as gate
      join executions as execution
        on execution.id = gate.execution_id
        and execution.organization_id = gate.organization_id
        and ${isKnown(sql`execution.organization_id`)}
      where gate.id = dispatch.gate_id
        and gate.organization_id = event.organization_id
        and ${isKnown(sql`gate.organization_id`)}
      union all
      select execution.started_by
      from executions as execution
      where execution.project_id = dispatch.project_id
        and execution.graph_id = dispatch.graph_id
        and execution.organization_id = event.organization_id
        and ${isKnown(sql`execution.organization_id`)}
    ) as concerned
  `
}

/** The recipients who have access now, by event id. */
async function recipients(tx: Tx, specs: [DrainedEvent, NotificationSpec][]): Promise<Map<string, Audience>> {
  const wanted = specs.map(([{ id, organization_id, workspace_id, actor_id }, spec]) => ({
    id,
    organization_id,
    workspace_id,
    actor_id,
    admins: spec.admins ?? spec.dispatch_id !== undefined,
    owner: spec.owner ?? false,
    people: (spec.people ?? []).filter((person) => person !== null),
    requirement_id: spec.requirement_id ?? null,
    dispatch_id: spec.dispatch_id ?? null,
    mentions: mentionsOf(spec),
  }))
  const organization_ids = [...new Set(wanted.map(({ organization_id }) => organization_id))]
  const found = await tx<Candidate[]>`
    with event as (
      select *
      from jsonb_to_recordset(${tx.json(wanted as Json)}) as event (
        id uuid, organization_id uuid, workspace_id uuid, actor_id uuid,
        admins boolean, owner boolean, people uuid[], requirement_id uuid, dispatch_id uuid, mentions uuid[]
      )
    ),
    candidate as (
      select place.id, admin.user_id, place.dispatch_id is not null as is_substitute
      from event as place
      cross join lateral (${workspaceAdmins(organization_ids)}) as admin
      where place.admins
      union
      select event.id, member.user_id, false
      from event
      join organization_members as member
        on member.organization_id = event.organization_id
        and member.organization_id = any(${organization_ids}::uuid[])
        and member.role = 'owner'
      where event.owner
        and member.user_id is distinct from event.actor_id
      union
      select event.id, unnest(event.people), false
      from event
      union
      select event.id, (
        select created_by
        from requirements
        where id = event.requirement_id
          and organization_id = event.organization_id
          and organization_id = any(${organization_ids}::uuid[])
      ), false
      from event
      ${wanted.some(({ dispatch_id }) => dispatch_id !== null) ? sql`union ${causers(organization_ids)}` : sql``}
    )
    select
      candidate.id as event_id, candidate.user_id, candidate.is_substitute,
      (select jsonb_object_agg(people.id, people.name) from people where people.id = any(event.mentions)) as names
    from candidate
    join event on event.id = candidate.id
    join organization_members as member
      on member.organization_id = event.organization_id
      and member.organization_id = any(${organization_ids}::uuid[])
      and member.user_id = candidate.user_id
    left join workspace_members as inside
      on inside.workspace_id = event.workspace_id
      and inside.organization_id = event.organization_id
      and inside.organization_id = any(${organization_ids}::uuid[])
      and inside.user_id = candidate.user_id
    where event.workspace_id is null
      or member.role in ('owner', 'admin')
      or inside.user_id is not null
  `
  const byEvent = new Map<string, Audience>()
  for (const [event_id, candidates] of Map.groupBy(found, (each) => each.event_id)) {
    const meant = candidates.filter(({ is_substitute }) => !is_substitute)
    const user_ids = (meant.length > 0 ? meant : candidates).map(({ user_id }) => user_id)
    byEvent.set(event_id, { user_ids, names: candidates[0]?.names ?? {} })
  }
  return byEvent
}

function audienceOf({ id }: DrainedEvent, { except = [] }: NotificationSpec, byEvent: Map<string, Audience>): Audience {
  const { user_ids, names } = byEvent.get(id) ?? { user_ids: [], names: {} }
  return { user_ids: user_ids.filter((user_id) => !except.includes(user_id)), names }
}

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
        place: { organization_id: event.organization_id, workspace_id: event.workspace_id, project_id: event.project_id },
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Checks the ids of a spec: an invalid one would make the statement fail for the whole batch. */
function requireIds(spec: NotificationSpec): void {
  const { people = [], requirement_id, dispatch_id } = spec
  const [, id] = spec.resource
  for (const each of [
    id,
    ...mentionsOf(spec),
    ...people.filter((person) => person !== null),
    requirement_id ?? id,
    dispatch_id ?? id,
  ]) {
    if (!UUID.test(String(each))) throw new Error(`${each} is not a UUID`)
  }
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

/** Writes the notifications of a batch of events, in the order of the events, and reads those that the events have settled. */
export async function fanOutToUsers(tx: Tx, events: DrainedEvent[]): Promise<void> {
  const specs = events.filter(hasExistingScope).flatMap((event) =>
    skipOnError(event, (): [DrainedEvent, NotificationSpec][] => {
      const spec = SPECS[event.name]?.(event)
      if (!spec) return []
      requireIds(spec)
      return [[event, spec]]
    }),
  )
  const byEvent = specs.length === 0 ? new Map<string, Audience>() : await recipients(tx, specs)
  await notifyAndRead(
    tx,
    events,
    specs.flatMap(([event, spec]) => skipOnError(event, () => notificationsOf(event, spec, audienceOf(event, spec, byEvent)))),
  )
}
