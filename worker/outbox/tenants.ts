/** For whom events wait. */
import { sql } from '../../core/platform/database.ts'

/**
 * `tenants (organization_id)`, to stand after `with recursive`: a jump from one to the next in the index of what waits,
 * so that it costs by how many tenants there are. Its last row may be null.
 */
export const waitingTenants = sql`
  tenants (organization_id) as (
    (
      select organization_id
      from outbox
      where drained_at is null
      order by organization_id
      limit 1
    )
    union all
    select (
      select organization_id
      from outbox
      where drained_at is null
        and organization_id > tenants.organization_id
      order by organization_id
      limit 1
    )
    from tenants
    where tenants.organization_id is not null
  )
`
