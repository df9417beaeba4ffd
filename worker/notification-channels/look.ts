/** What a lane finds when it looks: the channel as it is now, and what is due. */
import { sql } from '../../core/database.ts'
import { isLiving } from '../../core/living.ts'
import { type ChannelType, type OpenConfig, openConfig } from '../../core/notification-channels.ts'

/** A channel with its secrets open; it never leaves this process. */
export interface OpenChannel {
  id: string
  organization_id: string
  channel_type: ChannelType
  enabled: boolean
  config: OpenConfig
  /** Since when it has led to where this config says. */
  target_since: string
  /** Its last attempt failed. */
  failing: boolean
}

/** A message that is due. */
export interface DueMessage {
  id: string
  event: string
  /** The envelope of its event. */
  body: string
  attempt_count: number
  max_attempts: number
  accepted: string[]
  refused: Record<string, string>
  request_id: string | null
  traceparent: string | null
}

type Row = { [Key in keyof DueMessage as `message_${Key}`]: DueMessage[Key] | null } & {
  organization_id: string
  channel_type: ChannelType
  enabled: boolean
  target_since: string
  config: Record<string, unknown>
  secrets: Uint8Array
  failing: boolean
}

/**
 * Reads what is due, in its order, and no more than can be sent at once: what waits in memory could not be cancelled.
 *
 * @returns null where the channel is deleted
 */
export async function lookAt(
  channel_id: string,
  flying: string[],
  room: number,
): Promise<{ channel: OpenChannel; due: DueMessage[] } | null> {
  const rows = await sql<Row[]>`
    select
      channel.organization_id, channel.channel_type, channel.enabled, channel.target_since, channel.config, channel.secrets, lane.failures > 0 as failing,
      message.id as message_id, message.event as message_event, message.body as message_body,
      message.attempt_count as message_attempt_count, message.max_attempts as message_max_attempts,
      message.accepted as message_accepted, message.refused as message_refused, message.request_id as message_request_id, message.traceparent as message_traceparent
    from notification_channels as channel
    join channel_lanes as lane on lane.channel_id = channel.id
    left join lateral (
      select waiting.id, waiting.event, event.body, waiting.attempt_count, waiting.max_attempts, waiting.accepted,
        waiting.refused, waiting.request_id, waiting.traceparent
      from channel_messages as waiting
      join channel_events as event on event.id = waiting.event_id
      where waiting.channel_id = channel.id
        and waiting.status = 'pending'
        and waiting.next_attempt_at <= now()
        and (lane.held_until is null or lane.held_until <= now() or waiting.event = 'test.ping')
        and waiting.id <> all(${flying}::uuid[])
      order by waiting.next_attempt_at, waiting.id
      limit ${room}
    ) as message on true
    where channel.id = ${channel_id}
      and ${isLiving(sql`channel.organization_id`)}
  `
  const [first] = rows
  if (!first) return null
  const due = rows.flatMap((row) => {
    const { message_id: id, message_event: event, message_body: body } = row
    if (id === null || event === null || body === null) return []
    return {
      id,
      event,
      body,
      attempt_count: row.message_attempt_count ?? 0,
      max_attempts: row.message_max_attempts ?? 1,
      accepted: row.message_accepted ?? [],
      refused: row.message_refused ?? {},
      request_id: row.message_request_id,
      traceparent: row.message_traceparent,
    }
  })
  const { organization_id, channel_type, enabled, target_since, failing } = first
  const config = await openConfig(first)
  return { channel: { id: channel_id, organization_id, channel_type, enabled, target_since, failing, config }, due }
}
