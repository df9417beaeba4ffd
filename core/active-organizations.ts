/** Organizations that are not deleted. */
import { sql } from './platform/database.ts'

type Fragment = ReturnType<typeof sql>

/**
 * SQL: whether an organization is there and not deleted.
 *
 * Asked of each row by itself, by the key, and not joined: while organizations are few, a plan that joins them reads all, and
 * is kept when they are many.
 *
 * @param organization_id the column that names it
 */
export const isActiveOrganization = (organization_id: Fragment): Fragment =>
  sql`(select deleted_at is null from organizations where id = ${organization_id})`
