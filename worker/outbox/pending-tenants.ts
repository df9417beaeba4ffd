/** Tenants with pending events. */
import { sql } from '../../core/platform/database.ts'

/**
 * The CTE `tenants (organization_id)`, for use after `with recursive`. A loose index scan: it jumps from one tenant to the next,
 * so that its cost depends on the number of tenants, not of events. Its last row may be null.
 */
export const pendingTenants = sql`
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
