/** Disables channels whose targets are gone or have failed for too long, and notifies the workspace admins. */
import { SYSTEM } from '../../core/actors.ts'
import { emit } from '../../core/events/outbox.ts'
import type { EventChannel } from '../../core/events/subjects.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { cancelPendingMessages } from '../../core/notification-channels/messages.ts'
import { channelColumns } from '../../core/notification-channels/view.ts'
import { config } from '../../core/platform/config.ts'
import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import type { Health } from '../delivery/health.ts'
import type { MessageAttempt } from './attempt.ts'

/** Consecutive failures before a channel is disabled. */
const FAILURES = 20

/** Why a channel must be disabled; null if it has not failed for long enough. */
function reasonOf({ failures, first_failure_at, last_failure_at }: Health): string | null {
  const seconds = (Date.parse(last_failure_at ?? '') - Date.parse(first_failure_at ?? '')) / 1000
  if (failures < FAILURES || seconds < config.CHANNEL_DISABLE_SECONDS) return null
  return `All of the last ${failures} attempts failed, since ${first_failure_at}.`
}

/**
 * The channels to disable: for each, the attempt that shows it, and the reason. Tests and responses of a former target do not
 * count.
 */
export function reasonsToDisable(attempts: MessageAttempt[], healths: Health[]): [MessageAttempt, string][] {
  const byLane = new Map(healths.map((health) => [health.lane_id, health]))
  const found = attempts.flatMap((attempt): [string, [MessageAttempt, string]][] => {
    const { lane, item, result, targetChanged } = attempt
    const { classification } = result
    if (item.event === 'test.ping' || classification.kind === 'delivered' || targetChanged) return []
    const health = byLane.get(lane.id)
    const reason = health && reasonOf(health)
    if (reason) return [[lane.id, [attempt, reason]]]
    return classification.kind === 'permanent' && classification.gone ? [[lane.id, [attempt, classification.error.detail]]] : []
  })
  return [...new Map(found).entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reason]) => reason)
}

/** Disables a channel, unless it is disabled already, and cancels its pending messages. */
export async function disableChannel(tx: Tx, organization_id: string, channel_id: string, reason: string): Promise<void> {
  const [channel] = await tx<EventChannel[]>`
    update notification_channels
    set enabled = false, disabled_reason = ${reason}
    where id = ${channel_id}
      and organization_id = ${organization_id}
      and enabled
    returning ${channelColumns}
  `
  if (!channel) return
  await cancelPendingMessages(tx, organization_id, channel_id)
  const scope = { organization_id, workspace_id: channel.workspace_id, project_id: null }
  await emit(tx, SYSTEM, scope, 'channel.disabled', { channel, reason })
  await record(tx, SYSTEM, scope, {
    action: 'channel.disabled',
    resource_type: 'notification_channel',
    resource_id: channel_id,
    detail: `Signalbox disabled the notification channel ${channel.name}: ${reason}`,
  })
  await addJob(tx, 'mail_channel_disabled', { organization_id, channel_id })
}
