/** Channels as destinations: how their messages are read, sent and recorded, and when they are disabled. */
import { type History, recordMoves } from '../../core/delivery/attempts.ts'
import type { Lane } from '../../core/delivery/lanes.ts'
import { emit } from '../../core/events/outbox.ts'
import type { EventChannel } from '../../core/events/subjects.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { cancelPendingMessages } from '../../core/notification-channels/messages.ts'
import { CHANNELS, type ChannelType, channelColumns, isChannelType } from '../../core/notification-channels/types.ts'
import { databaseMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { channelAttempts } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, type Span, traceIds, traceparentOf } from '../../core/platform/traces.ts'
import { record } from '../../core/security/audit.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import type { AttemptResult, Destination, Health } from '../delivery/destination.ts'
import { fetchDue, nextDue } from './fetch-due.ts'
import {
  type Classification,
  classificationAfterTargetChange,
  type MessageOutcome,
  outcomeOf,
  permanent,
  type SendResult,
  transient,
} from './outcome.ts'
import type { DueMessage, OpenChannel, Sender } from './sender.ts'
import { SENDERS, UPDATED_TYPES } from './senders.ts'

export const channel: Destination<OpenChannel, DueMessage, MessageAttempt> = {
  kind: 'channel',
  fetchDue,
  attempt,
  observe,
  // Refused addresses are forgotten: the new mail server may accept them.
  afterTargetChange(attempt) {
    const { item, result } = attempt
    const classification = classificationAfterTargetChange(result.classification)
    const outcome = outcomeOf(classification, item.attempt_count + 1, item.max_attempts)
    return { ...attempt, result: { ...result, classification, refused: {} }, outcome }
  },
  async record(tx, attempts) {
    // Before the deliveries, because it locks channels.
    await recordChanges(tx, attempts)
    return recordAttempts(tx, attempts)
  },
  scopeOf,
  // Tests, responses of a former target and failures caused by our own message do not count.
  healthOf({ item, result: { classification, accepted = [] }, outcome, targetChanged }) {
    const has_succeeded = classification.kind === 'delivered' || accepted.length > 0
    const countsAsFailure = classification.kind !== 'permanent' || classification.countsAsFailure || has_succeeded
    if (item.event === 'test.ping' || targetChanged || !countsAsFailure) return null
    const hold_seconds = outcome.status === 'pending' && outcome.hold ? outcome.after_seconds : null
    return { has_succeeded, timed_out: false, hold_seconds }
  },
  isHealthy: ({ channel }) => !channel.isFailing,
  reasonToDisable,
  disable,
  nextDue,
}

/** Removes secrets that the target repeated in its response. */
function redacted(classification: Classification, mask: Mask): Classification {
  if (classification.kind === 'delivered') return classification
  const { code, detail } = classification.error
  return { ...classification, error: { code, detail: mask(detail) } }
}

/** During an upgrade, a newer process may have made a channel of a type that this one does not know. */
const ofNewerVersion: SendResult = {
  classification: transient(
    'unknown_channel_type',
    'This worker does not know the type of the channel. A newer version sends the message.',
  ),
  response_status: null,
  duration_ms: 0,
}

/** Never throws: a message that cannot be rendered must not block those after it. */
async function send<Type extends ChannelType>(
  channel: OpenChannel<Type>,
  message: DueMessage,
  traceparent: string | null,
): Promise<SendResult> {
  if (!isChannelType(channel.channel_type)) return ofNewerVersion
  const mask = maskOf(CHANNELS[channel.channel_type].masks(channel.config))
  const sender: Sender<Type> = SENDERS[channel.channel_type]
  const result = await sender.send(channel, message, { mask, traceparent }).catch((error: unknown): SendResult => {
    log.error({ error, message: message.id, event: message.event }, 'could not render or send a channel message')
    const classification = permanent('internal', 'Signalbox could not render this message because of an internal error.', false)
    return { classification, response_status: null, duration_ms: 0 }
  })
  return { ...result, classification: redacted(result.classification, mask) }
}

interface MessageAttempt extends AttemptResult<DueMessage> {
  channel: OpenChannel
  started_at: string
  result: SendResult
  outcome: MessageOutcome
  span: Span | null
}

async function attempt(lane: Lane, channel: OpenChannel, message: DueMessage): Promise<MessageAttempt> {
  const started_at = new Date(databaseMs(channel.clock)).toISOString()
  const span = beginAttempt(channel, message)
  const result = await send(channel, message, traceparentOf(span))
  const outcome = outcomeOf(result.classification, message.attempt_count + 1, message.max_attempts)
  const { target_since } = channel
  const succeeded = outcome.status === 'succeeded'
  return { lane, item: message, channel, target_since, started_at, result, outcome, span, succeeded }
}

const beginAttempt = (channel: OpenChannel, message: DueMessage): Span | null =>
  beginSpan(`notify ${channel.channel_type}`, 'client', readTraceparent(message.traceparent), {
    'signalbox.event': message.event,
    'signalbox.message_id': message.id,
    'signalbox.channel_id': channel.id,
    'signalbox.organization_id': channel.organization_id,
    'signalbox.request_id': message.request_id,
  })

/** In log, metrics and traces. */
function observe({ span, channel, item: message, result, outcome }: MessageAttempt): void {
  const error = 'error' in outcome ? outcome.error.code : null
  const shown = outcome.status === 'pending' ? 'retry' : outcome.status
  channelAttempts.observe([channel.channel_type, shown, error], result.duration_ms / 1000)
  const about = { message: message.id, channel: channel.id, organization: channel.organization_id, event: message.event }
  const made = { attempt: message.attempt_count + 1, status: result.response_status, ms: result.duration_ms }
  const became = { outcome: outcome.status, error: error ?? undefined }
  log.info({ request_id: message.request_id, ...traceIds(span), ...about, ...made, ...became }, 'notification')
  span?.end({ attributes: { 'http.response.status_code': result.response_status, 'signalbox.outcome': shown }, error })
}

function scopeOf({ channel: { organization_id, workspace_id } }: MessageAttempt) {
  return { organization_id, workspace_id, project_id: null }
}

async function recordChanges(tx: Tx, attempts: MessageAttempt[]): Promise<void> {
  for (const { type, updates } of UPDATED_TYPES) {
    const changes = attempts.flatMap(({ lane, channel, result: { change } }) =>
      channel.channel_type === type && change ? { ...change, organization_id: lane.organization_id, channel_id: lane.id } : [],
    )
    await updates.record(tx, changes)
  }
}

const HISTORY: History = { table: sql`channel_messages`, columns: sql``, last: sql`` }

async function recordAttempts(tx: Tx, attempts: MessageAttempt[]): Promise<Map<string, string | null>> {
  const rows = attempts.map(({ lane, item, started_at, result, outcome }) => ({
    id: item.id,
    organization_id: lane.organization_id,
    number: item.attempt_count + 1,
    started_at,
    status: outcome.status,
    after_seconds: outcome.status === 'pending' ? outcome.after_seconds : null,
    expires_at: null,
    lease_until: null,
    duration_ms: result.duration_ms,
    response_status: result.response_status,
    error: 'error' in outcome ? outcome.error : null,
    accepted: result.accepted ?? [],
    refused: result.refused ?? {},
  }))
  const recorded = await recordMoves(tx, HISTORY, rows)
  const counted = rows.filter(({ id }) => recorded.has(id))
  if (counted.length === 0) return recorded
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
  return recorded
}

const FAILURES = 20

/** Tests and responses of a former target do not count. */
function reasonToDisable({ item, result: { classification }, targetChanged }: MessageAttempt, health: Health | null) {
  if (item.event === 'test.ping' || classification.kind === 'delivered' || targetChanged) return null
  const { failures = 0, first_failure_at = null, last_failure_at = null } = health ?? {}
  const seconds = (Date.parse(last_failure_at ?? '') - Date.parse(first_failure_at ?? '')) / 1000
  if (failures >= FAILURES && seconds >= config.CHANNEL_DISABLE_SECONDS)
    return `All of the last ${failures} attempts failed, since ${first_failure_at}.`
  return classification.kind === 'permanent' && classification.gone ? classification.error.detail : null
}

/** Disables a channel, unless it is disabled already, and cancels its pending messages. */
async function disable(tx: Tx, attempt: MessageAttempt, reason: string): Promise<void> {
  const scope = scopeOf(attempt)
  const { organization_id } = scope
  const channel_id = attempt.channel.id
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
  await emit(tx, SYSTEM, scope, 'channel.disabled', { channel, reason })
  await record(tx, SYSTEM, scope, {
    action: 'channel.disabled',
    resource_type: 'notification_channel',
    resource_id: channel_id,
    detail: `Signalbox disabled the notification channel ${channel.name}: ${reason}`,
  })
  await addJob(tx, 'mail_channel_disabled', { organization_id, channel_id })
}
