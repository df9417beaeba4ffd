import { sql } from '../../core/database.ts'
import { isLiving } from '../../core/living.ts'
import { notFound } from '../../core/problems.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Placed } from '../plugins/exchange.ts'
import type { Slice } from '../plugins/lists.ts'
import type { LogEntry } from './schema.ts'

const entryColumns = sql`
  id, channel_id, event, event_id, status, attempt_count, response_status, error, duration_ms, created_at, completed_at
`

/** One entry of a channel's log. */
export async function getLogEntry(db: Queryable, message_id: string): Promise<LogEntry> {
  const [entry] = await db<LogEntry[]>`select ${entryColumns} from channel_messages where id = ${message_id}`
  if (!entry) throw notFound('log entry')
  return entry
}

/**
 * An entry once it is settled, else null.
 *
 * @throws Problem `not_found` where it is deleted, or its organization is
 */
export async function settledLogEntry(db: Queryable, message_id: string): Promise<LogEntry | null> {
  const [entry] = await db<LogEntry[]>`
    select ${entryColumns} from channel_messages where id = ${message_id} and ${isLiving(sql`channel_messages.organization_id`)}
  `
  if (!entry) throw notFound('log entry')
  return entry.status === 'pending' ? null : entry
}

/** A channel's log, newest first. */
export function listLog(db: Queryable, { id, organization_id }: Placed, { limit, after }: Slice) {
  return db<LogEntry[]>`
    select ${entryColumns}
    from channel_messages
    where channel_id = ${id}
      and organization_id = ${organization_id}
      and (${after}::uuid is null or (created_at, id) < (
        select created_at, id from channel_messages where id = ${after} and organization_id = ${organization_id}
      ))
    order by created_at desc, id desc
    limit ${limit}
  `
}
