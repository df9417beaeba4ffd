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

/** Ids in fields such as `started_by` and `decided_by` of what an event is about. */
const PATH = '$.data.* ? (@.type() == "object").keyvalue() ? (@.key like_regex "_by$").value ? (@ like_regex "^[0-9a-f-]{36}$")'

/** SQL: the columns `body` and `people` of a row `event` of `channel_events`. */
export const namedEvent = sql`
  event.body,
  (
    select jsonb_object_agg(mentioned.key, person.name)
    from (
      select id #>> '{}' as key, (id #>> '{}')::uuid as user_id
      from jsonb_path_query(event.body::jsonb, ${PATH}::jsonpath) as id
      union
      select 'actor', actor_id
      from outbox
      where id = event.id
        and organization_id = event.organization_id
    ) as mentioned
    join users as person on person.id = mentioned.user_id
  ) as people
`

/** The envelope of a stored event. */
export const envelopeOf = ({ body, people }: StoredEvent): NamedEnvelope => ({
  ...(JSON.parse(body) as Envelope),
  people: people ?? {},
})
