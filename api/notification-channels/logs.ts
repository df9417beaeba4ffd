import { sql } from '../../core/platform/database.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import type { Queryable } from '../../sql/index.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { type Ending, pendingIn, Waits } from '../plugins/waiting.ts'
import { notFound } from '../problems.ts'
import type { LogEntry } from './schema.ts'

/** Columns of `message`. The state of a pending message is in `deliveries`, the last response in `channel_attempts`. */
const entryColumns = sql`
  message.id, message.channel_id, message.event, message.event_id, message.status,
  coalesce(delivery.attempt_count, message.attempt_count) as attempt_count, attempt.response_status,
  case message.status when 'pending' then attempt.error else message.error end as error,
  attempt.duration_ms, message.created_at, message.completed_at
`

const withLastAttempt = sql`
  left join deliveries as delivery on delivery.id = message.id and delivery.organization_id = message.organization_id
  left join channel_attempts as attempt
    on attempt.message_id = message.id
    and attempt.organization_id = message.organization_id
    and attempt.number = coalesce(delivery.attempt_count, message.attempt_count)
`

/** @param condition a further one, beginning with `and` */
export async function getLogEntry(db: Queryable, organization_id: string, id: string, condition = sql``): Promise<LogEntry> {
  const [entry] = await db<LogEntry[]>`
    select ${entryColumns}
    from channel_messages as message
    ${withLastAttempt}
    where message.id = ${id} and message.organization_id = ${organization_id} ${condition}
  `
  if (!entry) throw notFound('log entry')
  return entry
}

const waits = new Waits(pendingIn(sql`channel_messages`, sql`waited.status = 'pending'`))

/** When the message was sent or has failed. Reading it throws the Problem `not_found` if it, or its organization, was deleted. */
export const endOfMessage = (organization_id: string, id: string): Ending<LogEntry> => ({
  waits,
  keys: [{ id, organization_id }],
  async read() {
    const entry = await getLogEntry(sql, organization_id, id, sql`and ${isActiveOrganization(sql`${organization_id}`)}`)
    return entry.status === 'pending' ? null : entry
  },
})

export const listLog = (db: Queryable, channel: ResourceKey<'channel'>, { limit, after }: Slice) => db<LogEntry[]>`
  select ${entryColumns}
  from (
    select *
    from channel_messages
    where channel_id = ${channel.id} and organization_id = ${channel.organization_id}
      ${following(sql`created_at, id`, after)}
    order by created_at desc, id desc
    limit ${limit}
  ) as message
  ${withLastAttempt}
  order by message.created_at desc, message.id desc
`
