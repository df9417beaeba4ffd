/** What is the same for attempts of dispatches and of messages: when they are repeated, and what their record changes in the queue. */
import type { Fragment } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'
import { isActiveOrganization } from '../tenants/scopes.ts'

interface Changes {
  /** What the CTE `attempt` has; not empty. */
  attempts: { status: string }[]
  /** When a retry is due, as an expression over `attempt`. */
  retry_at: Fragment
  /** The statement that writes the history of the rows of `finished`, and returns the id and `completed_at` of each. */
  complete: Fragment
  /** What else `delivery` must fulfil. */
  condition?: Fragment
}

/**
 * SQL: what follows the CTE `attempt`. `finished` deletes rows of the queue, `retried` schedules their next attempt; the result is
 * the id of each, and when a finished one was completed. They prevent a second record: an attempt changes nothing if it is already
 * recorded, or if its dispatch or message is finished or deleted, or its organization deleted.
 *
 * Most batches have only finished or only retried ones; planning the other part would be much of their cost.
 */
export function queueChanges({ attempts, retry_at, complete, condition = sql`true` }: Changes): Fragment {
  const isCurrent = sql`
        delivery.id = attempt.id
        and delivery.organization_id = attempt.organization_id
        and ${isActiveOrganization(sql`delivery.organization_id`)}
        and delivery.attempt_count = attempt.number - 1
        and ${condition}
  `
  const finished = sql`
    finished as (
      delete from deliveries as delivery
      using attempt
      where ${isCurrent}
        and attempt.status <> 'pending'
      returning attempt.*
    ),
    completed as (${complete})
  `
  const retried = sql`
    retried as (
      update deliveries as delivery
      set attempt_count = attempt.number,
          due_at        = ${retry_at},
          leased_at     = null,
          lease_until   = null
      from attempt
      where ${isCurrent}
        and attempt.status = 'pending'
      returning attempt.id
    )
  `
  if (attempts.every(({ status }) => status !== 'pending')) return sql`${finished} select id, completed_at from completed`
  if (attempts.every(({ status }) => status === 'pending'))
    return sql`${retried} select id, null::timestamptz as completed_at from retried`
  return sql`
    ${finished},
    ${retried}
    select id, completed_at from completed union all select id, null from retried
  `
}

/** @param configured delays in seconds, which are kept exactly @param defaults delays in seconds, with jitter */
export function retrySchedule(configured: number[] | null | undefined, defaults: number[]) {
  const delays = configured ?? defaults
  return {
    maxAttempts: delays.length + 1,
    /** In seconds. @param attempt from 1 @param random from 0 to 1, for the jitter of ± 20 % */
    delay(attempt: number, random = Math.random()): number {
      const delay = delays[Math.min(attempt, delays.length) - 1] ?? 0
      return configured ? delay : delay * (0.8 + 0.4 * random)
    },
  }
}
