/** The part of recording attempts that is the same for dispatches and messages: what they change in the queue. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'

/**
 * SQL: two CTEs over the rows of `attempt`. `finished` deletes rows of the queue, `retried` moves them to their next attempt; both
 * return `attempt.*`. They prevent a second record: an attempt changes nothing if it is already recorded, or if its dispatch or message is
 * finished or deleted, or its organization deleted.
 *
 * @param retry_at when a retry is due, as an expression over `attempt`
 */
export const queueMoves = (retry_at: Fragment): Fragment => sql`
    finished as (
      delete from deliveries as delivery
      using attempt
      where delivery.id = attempt.id
        and delivery.organization_id = attempt.organization_id
        and ${isActiveOrganization(sql`delivery.organization_id`)}
        and delivery.attempt_count = attempt.number - 1
        and attempt.status <> 'pending'
      returning attempt.*
    ),
    retried as (
      update deliveries as delivery
      set attempt_count = attempt.number,
          due_at        = ${retry_at}
      from attempt
      where delivery.id = attempt.id
        and delivery.organization_id = attempt.organization_id
        and ${isActiveOrganization(sql`delivery.organization_id`)}
        and delivery.attempt_count = attempt.number - 1
        and attempt.status = 'pending'
      returning attempt.*
    )
`
