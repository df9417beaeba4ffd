import { sql } from '../../core/platform/database.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable } from '../../sql/index.ts'
import { following, type PageQuery, pageLimit, readPage } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { SecurityLogEntry, ServiceIdentity, User } from './schema.ts'

export const userColumns = sql`
  users.id, users.email, users.email_verified, users.pending_email, users.name,
  '/api/v1/users/' || users.id || '/avatar' as avatar_url,
  users.created_at, users.updated_at
`

export async function getUser(db: Queryable, user_id: string): Promise<User> {
  const [user] = await db<User[]>`select ${userColumns} from users where id = ${user_id}`
  if (!user) throw new Error(`User ${user_id} does not exist`)
  return user
}

/** The user, or the service account with the scopes that this request has. */
export function whoAmI(db: Queryable, { id, name, bound_to, service_account }: Caller): Promise<User> | ServiceIdentity {
  if (!service_account) return getUser(db, id)
  const { workspace_id, project_id, scopes } = service_account
  return { id, name, type: 'service_account', organization_id: bound_to ?? '', workspace_id, project_id, scopes }
}

/** For an unknown address it writes nothing but takes as long, which is why it commits asynchronously. */
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

export const listSecurityLog = (db: Queryable, user_id: string, query: PageQuery) =>
  readPage<SecurityLogEntry>(
    db,
    query,
    sql`select count(*) from security_log_entries where user_id = ${user_id}`,
    sql`
      select id, action, detail, device, ip_address, created_at
      from security_log_entries
      where user_id = ${user_id}
        ${following(sql`id`, query.after)}
      order by id desc
      ${pageLimit(query)}
    `,
  )
