/** Reads a channel and its due messages. */
import type { Lane } from '../../core/delivery/lanes.ts'
import { cancelPendingMessages } from '../../core/notification-channels/messages.ts'
import { type ChannelType, decryptConfig } from '../../core/notification-channels/types.ts'
import { databaseClock } from '../../core/platform/clock.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import type { Fetched, NextDue } from '../delivery/destination.ts'
import { namedEvent } from '../event-messages/people.ts'
import type { DueMessage, OpenChannel } from './sender.ts'
import { senderOf } from './senders.ts'

interface ChannelRow {
  workspace_id: string
  channel_type: ChannelType
  enabled: boolean
  target_since: string
  config: object
  secrets: Uint8Array
  is_failing: boolean
  /** Whether its target asked us to wait; until then only tests are sent. */
  is_held: boolean
  version: number
  revision: number
}

/** The channel and its lane; null if the channel or its organization is deleted. */
async function readChannel({ id, organization_id }: Lane): Promise<ChannelRow | null> {
  const [channel] = await sql<ChannelRow[]>`
    select
      channel.workspace_id, channel.channel_type, channel.enabled, channel.target_since, channel.config, channel.secrets,
      lane.version, lane.revision,
      coalesce(health.failures, 0) > 0 as is_failing,
      coalesce(health.held_until > now(), false) as is_held
    from lanes as lane
    join notification_channels as channel on channel.id = lane.id and channel.organization_id = ${organization_id}
    left join lane_health as health on health.lane_id = lane.id and health.organization_id = ${organization_id}
    where lane.id = ${id}
      and lane.organization_id = ${organization_id}
      and ${isActiveOrganization(sql`${organization_id}`)}
  `
  return channel ?? null
}

/** Due messages in sending order. @param named whether to read what messages for people show in addition to the event */
const readDue = ({ id, organization_id }: Lane, inFlight: string[], onlyTests: boolean, named: boolean, limit: number) =>
  sql<(DueMessage & { now: string })[]>`
    select
      now() as now, message.id, message.event, delivery.attempt_count, message.max_attempts, message.is_update,
      ${named ? namedEvent(organization_id) : sql`event.body`},
      message.request_id, message.traceparent,
      coalesce(
        (
          select array_agg(mailbox)
          from channel_attempts as attempt
          cross join unnest(attempt.accepted) as mailbox
          where attempt.message_id = message.id and attempt.organization_id = ${organization_id}
        ),
        '{}'
      ) as accepted,
      coalesce(
        (
          select jsonb_object_agg(refusal.key, refusal.value)
          from channel_attempts as attempt
          cross join jsonb_each(attempt.refused) as refusal
          where attempt.message_id = message.id and attempt.organization_id = ${organization_id}
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
    join channel_events as event on event.id = message.event_id and event.organization_id = delivery.organization_id
    order by delivery.due_at, delivery.id
  `

async function prepare<Type extends ChannelType>(channel: OpenChannel<Type>, due: DueMessage[]): Promise<void> {
  const sender = senderOf(channel.channel_type)
  for (const message of due) message.state = await sender?.prepare?.(channel, message)
}

/**
 * Reads the channel and its due messages. For a disabled channel, only tests are due, and all others are cancelled. Reads no
 * more than can be sent at once: a message that waits in memory could not be cancelled.
 */
export async function fetchDue(lane: Lane, inFlight: string[]): Promise<Fetched<OpenChannel, DueMessage> | null> {
  // The version is read before the messages: new work in between raises it.
  const channel = await readChannel(lane)
  if (!channel) return null
  const { channel_type, enabled, target_since, is_failing, is_held, version, revision } = channel
  if (!enabled) await transaction((tx) => cancelPendingMessages(tx, lane.organization_id, lane.id))
  const { inFlight: limit, isForPeople } = senderOf(channel_type) ?? { inFlight: 1, isForPeople: false }
  const room = limit - inFlight.length
  const due = room > 0 ? await readDue(lane, inFlight, is_held || !enabled, isForPeople, room) : []
  const target = {
    id: lane.id,
    organization_id: lane.organization_id,
    workspace_id: channel.workspace_id,
    channel_type,
    target_since,
    clock: databaseClock(due[0]?.now ?? null),
    config: await decryptConfig(channel),
    isFailing: is_failing,
  }
  await prepare(target, due)
  return {
    target,
    version,
    revision,
    due,
    hasMore: room <= 0 || due.length === room,
    limit,
    isFailing: is_failing,
    staleAt: null,
  }
}

/** When each channel has something to send next. If its target asked us to wait, tests are sent nevertheless. */
export const nextDue = (tx: Tx, lane_ids: string[], organization_ids: string[]): Promise<NextDue[]> => tx<NextDue[]>`
  select
    delivery.lane_id as id,
    min(case when delivery.is_test then delivery.due_at else greatest(delivery.due_at, health.held_until) end) as at
  from deliveries as delivery
  left join lane_health as health on health.lane_id = delivery.lane_id and health.organization_id = delivery.organization_id
  where delivery.lane_id = any(${lane_ids}::uuid[])
    and delivery.organization_id = any(${organization_ids}::uuid[])
    and ${isActiveOrganization(sql`delivery.organization_id`)}
  group by delivery.lane_id
`
