/** Records a batch of attempts and what follows from them, such as a disabled channel, in one transaction. */
import { queueChanges } from '../../core/delivery/attempts.ts'
import { laneVersions } from '../../core/delivery/lanes.ts'
import { emit } from '../../core/events/outbox.ts'
import type { EventChannel } from '../../core/events/subjects.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { cancelPendingMessages } from '../../core/notification-channels/messages.ts'
import { channelColumns } from '../../core/notification-channels/types.ts'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import type { Tx } from '../../sql/index.ts'
import { joinByKeys } from '../../sql/transaction.ts'
import type { RecordedBatch } from '../delivery/destination.ts'
import type { Health, HealthUpdate } from '../delivery/health.ts'
import { correctForTargetChanges, healthUpdates, reasonsToDisable, recordHealth } from '../delivery/health.ts'
import type { MessageAttempt } from './attempt.ts'
import { classificationAfterTargetChange, outcomeOf } from './outcome.ts'
import { UPDATED_TYPES } from './senders.ts'

const FAILURES = 20

/** Why a channel must be disabled after an attempt; null if it must not. Tests and responses of a former target do not count. */
function reasonToDisable({ item, result: { classification }, targetChanged }: MessageAttempt, health: Health | undefined) {
  if (item.event === 'test.ping' || classification.kind === 'delivered' || targetChanged) return null
  const { failures = 0, first_failure_at = null, last_failure_at = null } = health ?? {}
  const seconds = (Date.parse(last_failure_at ?? '') - Date.parse(first_failure_at ?? '')) / 1000
  if (failures >= FAILURES && seconds >= config.CHANNEL_DISABLE_SECONDS)
    return `All of the last ${failures} attempts failed, since ${first_failure_at}.`
  return classification.kind === 'permanent' && classification.gone ? classification.error.detail : null
}

/** Disables a channel, unless it is disabled already, and cancels its pending messages. */
async function disableChannel(tx: Tx, organization_id: string, channel_id: string, reason: string): Promise<void> {
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

const toAttemptRow = ({ lane, item, started_at, result, outcome }: MessageAttempt) => ({
  id: item.id,
  organization_id: lane.organization_id,
  number: item.attempt_count + 1,
  started_at,
  status: outcome.status,
  after_seconds: outcome.status === 'pending' ? outcome.after_seconds : null,
  duration_ms: result.duration_ms,
  response_status: result.response_status,
  error: 'error' in outcome ? outcome.error : null,
  accepted: result.accepted ?? [],
  refused: result.refused ?? {},
})

/** Records attempts; `queueChanges` says which of them count. @returns the ids of the messages whose attempts were recorded */
async function recordAttempts(tx: Tx, attempts: MessageAttempt[]): Promise<Set<string>> {
  const rows = attempts.map(toAttemptRow)
  if (rows.length === 0) return new Set()
  const moves = rows.map(({ started_at, duration_ms, response_status, accepted, refused, ...move }) => move)
  const complete = sql`
    update channel_messages as message
    set status        = finished.status,
        attempt_count = finished.number,
        completed_at  = now(),
        error         = finished.error
    from finished
    where message.id = finished.id and message.organization_id = finished.organization_id
    returning message.id, message.completed_at
  `
  const recorded = await tx<{ id: string }[]>`
    with attempt as materialized (
      select *
      from json_to_recordset(${JSON.stringify(moves)}::text::json) as attempt (
        id uuid, organization_id uuid, number integer, status text, after_seconds double precision, error jsonb
      )
    ),
    ${queueChanges({ attempts: rows, retry_at: sql`seconds_after(now(), attempt.after_seconds)`, complete })}
  `
  const ids = new Set(recorded.map(({ id }) => id))
  const counted = rows.filter(({ id }) => ids.has(id))
  if (counted.length === 0) return ids
  await tx`
    insert into channel_attempts (
      message_id, organization_id, number, started_at, duration_ms, response_status, error, accepted, refused
    )
    select id, organization_id, number, started_at, duration_ms, response_status, error, accepted, refused
    from json_to_recordset(${JSON.stringify(counted)}::text::json) as attempt (
      id uuid, organization_id uuid, number integer, started_at timestamptz, duration_ms integer, response_status integer,
      error jsonb, accepted text[], refused jsonb
    )
  `
  return ids
}

/** Refused addresses are forgotten: the new mail server may accept them. */
function afterTargetChange(attempt: MessageAttempt): MessageAttempt {
  const { item, result } = attempt
  const classification = classificationAfterTargetChange(result.classification)
  const outcome = outcomeOf(classification, item.attempt_count + 1, item.max_attempts)
  return { ...attempt, result: { ...result, classification, refused: {} }, outcome }
}

/** Health updates of channels. Tests, responses of a former target and failures caused by our own message do not count. */
const channelHealthUpdates = (attempts: MessageAttempt[]): HealthUpdate[] =>
  healthUpdates(
    attempts.flatMap(({ lane, item, result: { classification, accepted = [] }, outcome, targetChanged }) => {
      const has_succeeded = classification.kind === 'delivered' || accepted.length > 0
      const countsAsFailure = classification.kind !== 'permanent' || classification.countsAsFailure || has_succeeded
      if (item.event === 'test.ping' || targetChanged || !countsAsFailure) return []
      const hold_seconds = outcome.status === 'pending' && outcome.hold ? outcome.after_seconds : null
      return { lane, has_succeeded, timed_out: false, hold_seconds }
    }),
  )

async function recordChanges(tx: Tx, attempts: MessageAttempt[]): Promise<void> {
  for (const { type, updates } of UPDATED_TYPES) {
    const changes = attempts.flatMap(({ lane, channel, result: { change } }) =>
      channel.channel_type === type && change ? { ...change, organization_id: lane.organization_id, channel_id: lane.id } : [],
    )
    await updates.record(tx, changes)
  }
}

export function completeMessages(given: MessageAttempt[]): Promise<RecordedBatch<MessageAttempt>> {
  return transaction(async (tx) => {
    const attempts = await correctForTargetChanges(tx, 'channel', given, afterTargetChange)
    await joinByKeys(tx)
    // Before the deliveries, because it locks channels.
    await recordChanges(tx, attempts)
    const recorded = await recordAttempts(tx, attempts)
    const newlyRecorded = attempts.filter(({ item }) => recorded.has(item.id))
    announceChange(tx, ...newlyRecorded.map(({ channel }) => scopePath({ ...channel, project_id: null })))
    const changesHealth = newlyRecorded.some(({ succeeded, channel }) => !succeeded || channel.isFailing)
    const lanes = newlyRecorded.map(({ lane }) => lane)
    const [versions, healths] = await Promise.all([
      laneVersions(tx, lanes),
      changesHealth ? recordHealth(tx, channelHealthUpdates(newlyRecorded)) : ([] as Health[]),
    ])
    for (const [{ lane }, reason] of reasonsToDisable(newlyRecorded, healths, reasonToDisable)) {
      await disableChannel(tx, lane.organization_id, lane.id, reason)
    }
    return { attempts, versions }
  })
}
