/** What is the same for attempts of dispatches and of messages: when they are repeated, and what their record changes in the queue. */
import type { Fragment, Tx } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'
import { isActiveOrganization } from '../tenants/scopes.ts'

/** What an attempt changes in the queue and, if it was the last one, in its dispatch or message. */
export interface Move {
  id: string
  organization_id: string
  /** From 1. */
  number: number
  /** Of the dispatch or message after the attempt. */
  status: 'pending' | 'succeeded' | 'failed'
  /** When the next attempt is due; null after the last one. */
  after_seconds: number | null
  /** When the dispatch expires; null if it does not. */
  expires_at: string | null
  error: { code: string; detail: string } | null
  /** The lease that the attempt was; null if it was sent. */
  lease_until: string | null
}

/** SQL: where what was finished is, and what it keeps of its last attempt. */
export interface History {
  table: Fragment
  /** The columns of an attempt in addition to those of `Move`, with their types. */
  columns: Fragment
  /** What is set from the columns of `finished`. */
  last: Fragment
}

/**
 * Finishes dispatches or messages, or schedules their next attempts. An attempt changes nothing if it is already recorded, was made
 * with another lease, or if its dispatch or message is finished or deleted, or its organization deleted.
 *
 * Most batches have only finished or only retried ones; planning the other part would be much of their cost.
 *
 * @returns when each was completed, by id; null before its next attempt. Those that changed nothing are absent
 */
export async function recordMoves(tx: Tx, history: History, attempts: Move[]): Promise<Map<string, string | null>> {
  if (attempts.length === 0) return new Map()
  const isCurrent = sql`
        delivery.id = attempt.id
        and delivery.organization_id = attempt.organization_id
        and ${isActiveOrganization(sql`delivery.organization_id`)}
        and delivery.attempt_count = attempt.number - 1
        and delivery.lease_until is not distinct from attempt.lease_until
  `
  const finished = sql`
    finished as (
      delete from deliveries as delivery
      using attempt
      where ${isCurrent}
        and attempt.status <> 'pending'
      returning attempt.*
    ),
    completed as (
      update ${history.table} as history
      set status        = finished.status,
          attempt_count = finished.number,
          completed_at  = now(),
          error         = finished.error
          ${history.last}
      from finished
      where history.id = finished.id and history.organization_id = finished.organization_id
      returning history.id, history.completed_at
    )
  `
  // What expires before its retry is due at its expiry, and is then cancelled.
  const retried = sql`
    retried as (
      update deliveries as delivery
      set attempt_count = attempt.number,
          due_at        = least(seconds_after(now(), attempt.after_seconds), attempt.expires_at),
          leased_at     = null,
          lease_until   = null
      from attempt
      where ${isCurrent}
        and attempt.status = 'pending'
      returning attempt.id
    )
  `
  const noneIsRetried = attempts.every(({ status }) => status !== 'pending')
  const allAreRetried = attempts.every(({ status }) => status === 'pending')
  const recorded = await tx<{ id: string; completed_at: string | null }[]>`
    with attempt as materialized (
      select *
      from json_to_recordset(${JSON.stringify(attempts)}::text::json) as attempt (
        id uuid, organization_id uuid, number integer, status text, after_seconds double precision, expires_at timestamptz,
        error jsonb, lease_until timestamptz ${history.columns}
      )
    ),
    ${
      noneIsRetried
        ? sql`${finished} select id, completed_at from completed`
        : allAreRetried
          ? sql`${retried} select id, null::timestamptz as completed_at from retried`
          : sql`${finished}, ${retried} select id, completed_at from completed union all select id, null from retried`
    }
  `
  return new Map(recorded.map(({ id, completed_at }) => [id, completed_at]))
}

/** @param configured delays in seconds, which are kept exactly @param defaults delays in seconds, with jitter */
export function retrySchedule(configured: number[] | null | undefined, defaults: number[]) {
  const delays = configured ?? defaults
  return {
    maxAttempts: delays.length + 1,
    /** In seconds. @param attempt from 1 @param random from 0 to 1, for the jitter of ± 20% */
    delay(attempt: number, random = Math.random()): number {
      const delay = delays[Math.min(attempt, delays.length) - 1] ?? 0
      return configured ? delay : delay * (0.8 + 0.4 * random)
    },
  }
}
