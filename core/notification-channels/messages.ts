/** Messages, shared by API and worker: the retry schedule, the envelope, and how they are created and cancelled. */
import type { Tx } from '../../sql/index.ts'
import { retrySchedule } from '../delivery/attempts.ts'
import { type Event, eventUrl } from '../events/catalogue.ts'
import { config } from '../platform/config.ts'
import type { NamedScope } from '../tenants/scopes.ts'
import { derivedId } from '../values/uuids.ts'

const MINUTE = 60
const retries = retrySchedule(config.CHANNEL_RETRY_SECONDS, [5, 30, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE])

export const MAX_ATTEMPTS = retries.maxAttempts

export const retryDelay = retries.delay

/** The body of a webhook message. Messages of other channel types are rendered from it. */
export interface Envelope extends NamedScope {
  id: string
  event: string
  created_at: string
  url: string | null
  data: Record<string, unknown>
}

interface EventWithScope extends Event {
  organization_id: string
  project_id: string | null
  request_id: string | null
  traceparent: string | null
  scope: NamedScope
}

const envelope = ({ id, name, created_at, scope, data }: EventWithScope): string =>
  JSON.stringify({ id, event: name, created_at, url: eventUrl({ name, data }, scope), ...scope, data } satisfies Envelope)

export interface NewMessage {
  event_id: string
  channel_id: string
  organization_id: string
  workspace_id: string
  max_attempts: number
  /** The channel does not subscribe to the event: only messages that were posted before are updated. */
  is_update?: boolean
}

/**
 * Creates messages, due at once, with the envelopes of their events. Called by the drain for subscribed events, and by the
 * request that tests a channel. The ids are derived from event and channel, so that no message is created twice.
 *
 * @returns the ids of the messages, in the given order
 */
export async function createMessages(tx: Tx, events: EventWithScope[], messages: NewMessage[]): Promise<string[]> {
  const envelopes = events.map((event) => ({
    id: event.id,
    organization_id: event.organization_id,
    project_id: event.project_id,
    body: envelope(event),
  }))
  await tx`
    insert into channel_events (id, organization_id, project_id, body)
    select id, organization_id, project_id, body
    from jsonb_to_recordset(${tx.json(envelopes)}) as event (id uuid, organization_id uuid, project_id uuid, body text)
  `
  const byId = new Map(events.map((event) => [event.id, event]))
  const rows = messages.map((message) => ({
    ...message,
    is_update: message.is_update ?? false,
    id: derivedId(message.event_id, message.channel_id),
    event: byId.get(message.event_id)?.name ?? '',
    request_id: byId.get(message.event_id)?.request_id ?? null,
    traceparent: byId.get(message.event_id)?.traceparent ?? null,
  }))
  await tx`
    insert into channel_messages (
      id, organization_id, workspace_id, channel_id, event_id, event, max_attempts, is_update, request_id, traceparent
    )
    select
      id, organization_id, workspace_id, channel_id, event_id, event, max_attempts, is_update,
      request_id, traceparent
    from jsonb_to_recordset(${tx.json(rows)}) as row (
      id uuid, organization_id uuid, workspace_id uuid, channel_id uuid, event_id uuid, event text, max_attempts integer,
      is_update boolean, request_id text, traceparent text
    )
  `
  return rows.map(({ id }) => id)
}

export async function cancelPendingMessages(tx: Tx, organization_id: string, channel_id: string): Promise<void> {
  await tx`
    with cancelled as (
      delete from deliveries
      where lane_id = ${channel_id}
        and organization_id = ${organization_id}
        and not is_test
      returning id, attempt_count
    )
    update channel_messages as message
    set status        = 'cancelled',
        attempt_count = cancelled.attempt_count,
        completed_at  = now(),
        error         = '{"code": "channel_disabled", "detail": "The channel was disabled before the message was sent."}'
    from cancelled
    where message.id = cancelled.id and message.organization_id = ${organization_id}
  `
}
