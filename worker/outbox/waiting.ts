/** The tenants with events that wait. */
import { sql } from '../../core/platform/database.ts'
import { cluster } from '../../sql/cluster.ts'
import type { Fragment } from '../../sql/index.ts'

/**
 * SQL: tenants with an event that is due and older than an age, with the first event of each. A cluster reads them from all nodes, which a
 * recursive query cannot do.
 */
export const waitingTenants = (age: Fragment): Fragment =>
  cluster()
    ? sql`
        (
          select event.organization_id, min(event.id::text) as first_id
          from waiting_events as event
          join organizations as organization on organization.id = event.organization_id and organization.deleted_at is null
          where event.created_at <= now() - ${age}
            and (event.retry_at is null or event.retry_at <= now())
          group by event.organization_id
        )
      `
    : sql`waiting_tenants(${age})`
