/** Writes down what came of an attempt, and switches off a channel that nothing reaches. */
import { SYSTEM } from '../../core/actors.ts'
import { record } from '../../core/audit.ts'
import { config } from '../../core/config.ts'
import { addJob } from '../../core/jobs.ts'
import { cancelWaiting, channelColumns } from '../../core/notification-channels.ts'
import { commit, emit } from '../../core/outbox.ts'
import type { Json, Tx } from '../../sql/index.ts'
import type { DueMessage, OpenChannel } from './look.ts'
import { type Outcome, outcomeOf, type Tried, verdictAfterMove } from './outcome.ts'

/** Attempts that must have failed, one after another. */
const FAILURES = 20

/** The fence is in the `where`: what was recorded already, or is settled by now, stays as it is. */
async function settle(tx: Tx, message: DueMessage, started_at: string, tried: Tried, outcome: Outcome): Promise<boolean> {
  const number = message.attempt_count + 1
  const error = 'error' in outcome ? tx.json(outcome.error as unknown as Json) : null
  const settled = await tx`
    with settled as (
      update channel_messages
      set status          = ${outcome.status},
          attempt_count   = ${number},
          next_attempt_at = now() + ${'after_seconds' in outcome ? outcome.after_seconds : null}::double precision * interval '1 second',
          completed_at    = case when ${outcome.status} = 'pending' then null else now() end,
          response_status = ${tried.response_status},
          duration_ms     = ${tried.duration_ms},
          error           = ${error},
          accepted        = accepted || ${tried.accepted ?? []}::text[],
          refused         = refused || ${tx.json(tried.refused ?? {})}
      where id = ${message.id}
        and status = 'pending'
        and attempt_count = ${number - 1}
      returning id, organization_id
    )
    insert into channel_attempts (message_id, organization_id, number, started_at, duration_ms, response_status, error)
    select id, organization_id, ${number}, ${started_at}::timestamptz, ${tried.duration_ms}, ${tried.response_status}, ${error}
    from settled
  `
  return settled.count === 1
}

/** A tool that asks to wait is not asked again before, with whichever message. */
async function hold(tx: Tx, channel_id: string, seconds: number): Promise<void> {
  await tx`update channel_lanes set held_until = now() + ${seconds} * interval '1 second' where channel_id = ${channel_id}`
}

/**
 * Counts a failure.
 *
 * @returns why the channel is to be switched off; null while it is not
 */
async function countFailure(tx: Tx, channel_id: string, started_at: string): Promise<string | null> {
  const [lane] = await tx<{ failures: number; over: boolean; failing_since: string }[]>`
    update channel_lanes
    set failures      = failures + 1,
        failing_since = coalesce(failing_since, ${started_at}::timestamptz)
    where channel_id = ${channel_id}
    returning failures, failing_since, failing_since <= now() - ${config.CHANNEL_DISABLE_SECONDS} * interval '1 second' as over
  `
  if (!lane || lane.failures < FAILURES || !lane.over) return null
  return `All of the last ${lane.failures} attempts failed, since ${lane.failing_since}.`
}

/** Switches a channel off: what waits for it is cancelled, and the admins of its workspace are told. */
async function disable(tx: Tx, channel_id: string, reason: string): Promise<void> {
  const [channel] = await tx<(Record<string, unknown> & { organization_id: string; workspace_id: string; name: string })[]>`
    update notification_channels
    set enabled = false, disabled_reason = ${reason}
    where id = ${channel_id}
      and enabled
    returning ${channelColumns}, organization_id
  `
  if (!channel) return
  await cancelWaiting(tx, channel_id)
  const { organization_id, ...shown } = channel
  const place = { organization_id, workspace_id: channel.workspace_id, project_id: null }
  await emit(tx, SYSTEM, place, 'channel.disabled', { channel: shown, reason })
  await record(tx, SYSTEM, place, {
    action: 'channel.disabled',
    resource_type: 'notification_channel',
    resource_id: channel_id,
    detail: `Signalbox switched the notification channel ${channel.name} off: ${reason}`,
  })
  await addJob(tx, 'mail_channel_disabled', { channel_id }, organization_id)
}

/** Whether a channel leads elsewhere by now. It is held until the commit, as everybody locks it before its messages. */
async function hasMoved(tx: Tx, { id, target_since }: Target): Promise<boolean> {
  const [channel] = await tx<{ target_since: string }[]>`
    select target_since from notification_channels where id = ${id} for no key update
  `
  return channel !== undefined && channel.target_since !== target_since
}

/** A channel, and where it led when a message was sent. */
type Target = Pick<OpenChannel, 'id' | 'target_since'>

/**
 * Records an attempt, and what follows from it. A test changes nothing about its channel, and neither does the answer of
 * a place that the channel leads to no more: the message is tried at the new one.
 */
export function recordAttempt(target: Target, message: DueMessage, started_at: string, given: Tried): Promise<Outcome> {
  const channel_id = target.id
  const isTest = message.event === 'test.ping'
  return commit(async (tx) => {
    const isStale = given.verdict.kind !== 'delivered' && (await hasMoved(tx, target))
    // Another mail server may take the addresses that this one refused.
    const tried = isStale ? { ...given, verdict: verdictAfterMove(given.verdict), refused: {} } : given
    const { verdict } = tried
    const outcome = outcomeOf(verdict, message.attempt_count + 1, message.max_attempts)
    if (!(await settle(tx, message, started_at, tried, outcome)) || isTest || isStale) return outcome
    if (verdict.kind === 'delivered' || (tried.accepted ?? []).length > 0) {
      await tx`update channel_lanes set failures = 0, failing_since = null where channel_id = ${channel_id} and failures > 0`
    } else if (verdict.kind === 'transient' || verdict.counts) {
      const reason = await countFailure(tx, channel_id, started_at)
      if (reason) await disable(tx, channel_id, reason)
      else if (verdict.kind === 'permanent' && verdict.gone) await disable(tx, channel_id, verdict.error.detail)
    }
    if (outcome.status === 'pending' && outcome.hold) await hold(tx, channel_id, outcome.after_seconds)
    return outcome
  })
}
