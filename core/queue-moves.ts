/** The part of recording attempts that is the same for dispatches and messages: what they change in the queue. */
import type { Fragment } from '../sql/index.ts'
import { isActiveOrganization } from './active-organizations.ts'
import { sql } from './platform/database.ts'

/**
 * SQL: two CTEs over the rows of `attempt`. `finished` deletes rows of the queue, `retried` moves them to their next attempt; both
 * return `attempt.*`. They prevent a second record: an attempt changes nothing if it is already recorded, or if its dispatch or message is
 * finished or deleted, or its organization deleted.
 *
 * @param retry_at when a retry is due, as an expression over `attempt`
 * @param condition what else `delivery` must fulfil
 */
export const queueMoves = (retry_at: Fragment, condition: Fragment = sql`true`): Fragment => sql`
    finished as (
      delete from deliveries as delivery
      using attempt
      where delivery.id = attempt.id
        and delivery.organization_id = attempt.organization_id
        and ${isActiveOrganization(sql`delivery.organization_id`)}
        and delivery.attempt_count = attempt.number - 1
        and attempt.status <> 'pending'
        and ${condition}
      returning attempt.*
    ),
    retried as (
      update deliveries as delivery
      set attempt_count = attempt.number,
          due_at        = ${retry_at},
          leased_at     = null,
          lease_until   = null
      from attempt
      where delivery.id = attempt.id
        and delivery.organization_id = attempt.organization_id
        and ${isActiveOrganization(sql`delivery.organization_id`)}
        and delivery.attempt_count = attempt.number - 1
        and attempt.status = 'pending'
        and ${condition}
      returning attempt.*
    )
`
