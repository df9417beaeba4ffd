import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Slice } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import type { LogEntry } from './schema.ts'

/**
 * The columns of `message` as the API shows a log entry. The state of a pending message is in `deliveries`, the last
 * response in `channel_attempts`.
 */
const entryColumns = sql`
  message.id, message.channel_id, message.event, message.event_id, message.status,
  coalesce(delivery.attempt_count, message.attempt_count) as attempt_count, attempt.response_status,
  case message.status when 'pending' then attempt.error else message.error end as error,
  attempt.duration_ms, message.created_at, message.completed_at
`

const withLastAttempt = sql`
  left join deliveries as delivery
    on delivery.id = message.id
    and delivery.organization_id = message.organization_id
  left join channel_attempts as attempt
    on attempt.message_id = message.id
    and attempt.organization_id = message.organization_id
    and attempt.number = coalesce(delivery.attempt_count, message.attempt_count)
`

export async function getLogEntry(db: Queryable, organization_id: string, id: string): Promise<LogEntry> {
  const [entry] = await db<LogEntry[]>`
    select ${entryColumns}
    from channel_messages as message
    ${withLastAttempt}
    where message.id = ${id}
      and message.organization_id = ${organization_id}
  `
  if (!entry) throw notFound('log entry')
  return entry
}

/**
 * An entry once it is finished, else null.
 *
 * @throws Problem `not_found` if it, or its organization, was deleted
 */
export async function finishedLogEntry(db: Queryable, organization_id: string, id: string): Promise<LogEntry | null> {
  const [entry] = await db<LogEntry[]>`
    select ${entryColumns}
    from channel_messages as message
    ${withLastAttempt}
    where message.id = ${id}
      and message.organization_id = ${organization_id}
      and ${isActiveOrganization(sql`${organization_id}`)}
  `
  if (!entry) throw notFound('log entry')
  return entry.status === 'pending' ? null : entry
}

/** A channel's log, newest first. */
export function listLog(db: Queryable, { id, organization_id }: ResourceKey<'channel'>, { limit, after }: Slice) {
  return db<LogEntry[]>`
    select ${entryColumns}
    from (
      select *
      from channel_messages
      where channel_id = ${id}
        and organization_id = ${organization_id}
        and (${after}::uuid is null or (created_at, id) < (
          select created_at, id from channel_messages where id = ${after} and organization_id = ${organization_id}
        ))
      order by created_at desc, id desc
      limit ${limit}
    ) as message
    ${withLastAttempt}
    order by message.created_at desc, message.id desc
  `
}
