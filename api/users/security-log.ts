import type { Visitor } from '../../core/actors.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { offsetOf, type PageQuery, readPage } from '../plugins/pages.ts'
import type { SecurityLogEntry } from './schema.ts'

/**
 * Records a wrong password. For an unknown address it writes nothing but takes as long, which is why it commits
 * asynchronously.
 */
export async function recordWrongPassword(
  db: Queryable,
  user_id: string | null,
  visitor: Visitor,
  action: 'sign_in.failed' | 'password.refused',
): Promise<void> {
  await db`
    with fast as (select set_config('synchronous_commit', 'off', true) as setting)
    insert into security_log_entries (user_id, email, action, detail, device, ip_address)
    select users.id, users.email, ${action}, 'The password was wrong.', ${visitor.device}, ${visitor.ip_address}
    from users, fast
    where users.id = ${user_id}
      and fast.setting = 'off'
  `
}

/** A page of a user's log, newest first. */
export const listSecurityLog = (db: Queryable, user_id: string, query: PageQuery) =>
  readPage<SecurityLogEntry>(
    db,
    query,
    sql`select count(*) from security_log_entries where user_id = ${user_id}`,
    sql`
      select id, action, detail, device, ip_address, created_at
      from security_log_entries
      where user_id = ${user_id}
      order by id desc
      limit ${query.page_size} offset ${offsetOf(query)}
    `,
  )
