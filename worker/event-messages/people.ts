/** The names of the people whom an event mentions by id. They are read when a message is rendered, not stored with the event. */
import type { Envelope } from '../../core/notification-channels.ts'
import { sql } from '../../core/platform/database.ts'

/** Names by user id; `actor` is who caused the event, and absent if that was Signalbox. */
export type People = Record<string, string>

/** An envelope with the names of its people. */
export interface NamedEnvelope extends Envelope {
  people?: People
}

/** An event as `namedEvent` reads it. */
export interface StoredEvent {
  body: string
  people?: People | null
}

/** SQL: the columns `body` and `people` of a row `event` of `channel_events`, which is of the organization. */
export const namedEvent = (organization_id: string) => sql`
  event.body,
  names_in(
    event.body::jsonb, (select actor_id from outbox where id = event.id and organization_id = ${organization_id})
  ) as people
`

/** The envelope of a stored event. */
export const envelopeOf = ({ body, people }: StoredEvent): NamedEnvelope => ({
  ...(JSON.parse(body) as Envelope),
  people: people ?? {},
})
