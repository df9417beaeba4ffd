/** Organizations that are not deleted. */
import { sql } from './platform/database.ts'

type Fragment = ReturnType<typeof sql>

/**
 * SQL: whether an organization exists and is not deleted.
 *
 * A subquery by key, not a join: a plan that was cached while there were few organizations would read all of them when there
 * are many.
 *
 * @param organization_id the column with its id
 */
export const isActiveOrganization = (organization_id: Fragment): Fragment =>
  sql`(select deleted_at is null from organizations where id = ${organization_id})`
