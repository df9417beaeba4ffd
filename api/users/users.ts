import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import type { User } from './schema.ts'

/** The columns of a user as the API shows it. */
export const userColumns = sql`
  users.id, users.email, users.email_verified, users.pending_email, users.name,
  '/api/v1/users/' || users.id || '/avatar' as avatar_url,
  users.created_at, users.updated_at
`

/** A user that must exist. */
export async function getUser(db: Queryable, user_id: string): Promise<User> {
  const [user] = await db<User[]>`select ${userColumns} from users where id = ${user_id}`
  if (!user) throw new Error(`User ${user_id} does not exist`)
  return user
}
