/** What messages say beside their event: the names of the people that it mentions by id, and what a gate asks about. */
import type { Asked, People } from '../../core/events/texts.ts'
import type { Envelope } from '../../core/notification-channels/messages.ts'
import { sql } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'
import { askedBy } from './criteria.ts'

/** An envelope with the names of its people, and what its gate asks about while it is pending. */
export interface NamedEnvelope extends Envelope {
  people?: People
  asked?: Asked | null
}

/** An event as `namedEvent` reads it. */
export interface StoredEvent {
  body: string
  people?: People | null
  asked?: Asked | null
}

/**
 * SQL: the columns `body`, `people` and `asked` of a row `event` of `channel_events`, which is of the organization.
 *
 * @param body what to read of its body
 */
export const namedEvent = (organization_id: string, body: Fragment = sql`event.body`) => sql`
  ${body} as body,
  names_in(
    event.body::jsonb, (select actor_id from outbox where id = event.id and organization_id = ${organization_id})
  ) as people,
  case
    when event.body::jsonb #>> '{data,gate,status}' = 'pending'
      then ${askedBy(organization_id, sql`(event.body::jsonb #>> '{data,gate,execution_id}')::uuid`)}
  end as asked
`

/** The envelope of a stored event. */
export const envelopeOf = ({ body, people, asked }: StoredEvent): NamedEnvelope => ({
  ...(JSON.parse(body) as Envelope),
  people: people ?? {},
  asked: asked ?? null,
})
