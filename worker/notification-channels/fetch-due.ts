/** What the lane of a channel finds when it looks: the channel as it is now, and what is due. */

import type { Lane } from '../../core/lanes.ts'
import { isLiving } from '../../core/living-organizations.ts'
import { type ChannelType, cancelWaiting, type OpenConfig, openConfig } from '../../core/notification-channels.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import type { Tx } from '../../sql/index.ts'
import type { View } from '../delivery/destination.ts'

/** A channel with its secrets open; it never leaves this process. */
export interface OpenChannel {
  id: string
  organization_id: string
  channel_type: ChannelType
  config: OpenConfig
  /** Since when it has led where this config says. */
  target_since: string
  /** Its last attempt failed. */
  isFailing: boolean
}

/** A message that is due. */
export interface DueMessage {
  id: string
  event: string
  /** The envelope of its event. */
  body: string
  attempt_count: number
  max_attempts: number
  /** Mailboxes that have it already. */
  accepted: string[]
  /** Mailboxes that were refused for good, each with the code of the refusal. */
  refused: Record<string, string>
  request_id: string | null
  traceparent: string | null
}

/** People read in order, so that rooms and mailboxes get one message after another; programs sort by themselves. */
const IN_FLIGHT = { feishu: 1, slack: 1, teams: 1, email: 1, webhook: 4 }

interface ChannelRow {
  channel_type: ChannelType
  enabled: boolean
  target_since: string
  config: Record<string, unknown>
  secrets: Uint8Array
  is_failing: boolean
  /** Its tool asked to wait: only tests are sent. */
  is_held: boolean
  version: number
  revision: number
}

/** The channel and its lane; null where the channel or its organization is deleted. */
async function readChannel({ id, organization_id }: Lane): Promise<ChannelRow | null> {
  const [channel] = await sql<ChannelRow[]>`
    select
      channel.channel_type, channel.enabled, channel.target_since, channel.config, channel.secrets, lane.version, lane.revision,
      coalesce(health.failures, 0) > 0 as is_failing,
      coalesce(health.held_until > now(), false) as is_held
    from lanes as lane
    join notification_channels as channel on channel.id = lane.id and channel.organization_id = lane.organization_id
    left join lane_health as health on health.lane_id = lane.id and health.organization_id = lane.organization_id
    where lane.id = ${id}
      and lane.organization_id = ${organization_id}
      and ${isLiving(sql`lane.organization_id`)}
  `
  return channel ?? null
}

/** What is due of a lane, in its order. */
const readDue = ({ id, organization_id }: Lane, inFlight: string[], onlyTests: boolean, limit: number) =>
  sql<DueMessage[]>`
    select
      message.id, message.event, event.body, delivery.attempt_count, message.max_attempts, message.request_id, message.traceparent,
      coalesce(
        (
          select array_agg(mailbox)
          from channel_attempts as attempt
          cross join unnest(attempt.accepted) as mailbox
          where attempt.message_id = message.id
            and attempt.organization_id = message.organization_id
        ),
        '{}'
      ) as accepted,
      coalesce(
        (
          select jsonb_object_agg(refusal.key, refusal.value)
          from channel_attempts as attempt
          cross join jsonb_each(attempt.refused) as refusal
          where attempt.message_id = message.id
            and attempt.organization_id = message.organization_id
        ),
        '{}'
      ) as refused
    from (
      select id, organization_id, attempt_count, due_at
      from deliveries
      where lane_id = ${id}
        and organization_id = ${organization_id}
        and due_at <= now()
        ${onlyTests ? sql`and is_test` : sql``}
        and id <> all(${inFlight}::uuid[])
      order by due_at, id
      limit ${limit}
    ) as delivery
    join channel_messages as message on message.id = delivery.id and message.organization_id = delivery.organization_id
    join channel_events as event on event.id = message.event_id and event.organization_id = message.organization_id
    order by delivery.due_at, delivery.id
  `

/**
 * Reads the channel and what is due. Of a channel that is switched off nothing is sent but tests; the rest is cancelled.
 * No more is read than can be sent at once: a message that waits in memory could not be cancelled.
 */
export async function fetchDue(lane: Lane, inFlight: string[]): Promise<View<OpenChannel, DueMessage> | null> {
  // Its version is read before what is due: whatever comes in between raises it.
  const channel = await readChannel(lane)
  if (!channel) return null
  const { channel_type, enabled, target_since, is_failing, is_held, version, revision } = channel
  if (!enabled) await transaction((tx) => cancelWaiting(tx, lane.organization_id, lane.id))
  const limit = IN_FLIGHT[channel_type]
  const room = limit - inFlight.length
  const due = room > 0 ? await readDue(lane, inFlight, is_held || !enabled, room) : []
  return {
    target: {
      id: lane.id,
      organization_id: lane.organization_id,
      channel_type,
      target_since,
      config: await openConfig(channel),
      isFailing: is_failing,
    },
    version,
    revision,
    due,
    more: room <= 0 || due.length === room,
    limit,
    isDoubtful: is_failing,
  }
}

/** When the channel has something to send next. What a tool asked to wait for, a test does not. */
export async function nextDueAt(tx: Tx, { id, organization_id }: Lane): Promise<string | null> {
  const [next] = await tx<{ at: string | null }[]>`
    select min(case when delivery.is_test then delivery.due_at else greatest(delivery.due_at, health.held_until) end) as at
    from deliveries as delivery
    left join lane_health as health on health.lane_id = delivery.lane_id and health.organization_id = delivery.organization_id
    where delivery.lane_id = ${id}
      and delivery.organization_id = ${organization_id}
      and ${isLiving(sql`delivery.organization_id`)}
  `
  return next?.at ?? null
}
