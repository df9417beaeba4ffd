/** What people are told of events, and who is told. */
import * as texts from '../../core/notifications/texts.ts'
import type { NotificationType } from '../../core/notifications/types.ts'
import type { DrainedEvent } from '../outbox/drained-event.ts'

/** The notification of an event, and its recipients. */
export interface NotificationSpec {
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
export const SPECS: Record<string, (event: DrainedEvent) => NotificationSpec | null> = {
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
