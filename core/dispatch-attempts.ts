/** The statement that records attempts of dispatches: requests of pushed ones, and leases of pulled ones. */

import type { Tx } from '../sql/index.ts'
import { sql } from './platform/database.ts'
import { queueMoves } from './queue-moves.ts'

interface AttemptError {
  code: string
  detail: string
}

/** An attempt to record. */
export interface AttemptRow {
  /** Of the dispatch. */
  id: string
  organization_id: string
  /** From 1. */
  number: number
  started_at: string
  /** Of the dispatch after the attempt. */
  status: 'pending' | 'succeeded' | 'failed'
  /** The delay before the next attempt; null if there is none. */
  after_seconds: number | null
  /** When the dispatch expires; null if it does not. */
  expires_at: string | null
  address: string | null
  dns_ms: number | null
  first_byte_ms: number | null
  duration_ms: number
  response_status: number | null
  response_headers: Record<string, string> | null
  response_body: string | null
  /** Of the dispatch. */
  error: AttemptError | null
  attempt_error: AttemptError | null
  /** The lease that the attempt was; null if the dispatch was sent. */
  lease_until: string | null
}

/** If a dispatch expires before its retry, it is due at its expiry, and is then cancelled. */
const RETRY_AT = sql`least(now() + attempt.after_seconds * interval '1 second', attempt.expires_at)`

/** An attempt counts only under the lease that it was made with. */
const IS_SAME_LEASE = sql`delivery.lease_until is not distinct from attempt.lease_until`

/**
 * Records attempts; `queueMoves` says which of them count.
 *
 * @returns when each was recorded, by dispatch id; those that changed nothing are absent
 */
export async function recordAttempts(tx: Tx, attempts: AttemptRow[]): Promise<Map<string, string>> {
  const recorded = await tx<{ id: string; recorded_at: string }[]>`
    with attempt as materialized (
      select *
      from json_to_recordset(${JSON.stringify(attempts)}::text::json) as attempt (
        id uuid, organization_id uuid, number integer, started_at timestamptz, status text,
        after_seconds double precision, expires_at timestamptz,
        address text, dns_ms integer, first_byte_ms integer, duration_ms integer,
        response_status integer, response_headers jsonb, response_body text, error jsonb, attempt_error jsonb,
        lease_until timestamptz
      )
    ),
    ${queueMoves(RETRY_AT, IS_SAME_LEASE)},
    completed as (
      update dispatches as dispatch
      set status        = finished.status,
          attempt_count = finished.number,
          completed_at  = now(),
          error         = finished.error
      from finished
      where dispatch.id = finished.id
        and dispatch.organization_id = finished.organization_id
    )
    insert into dispatch_attempts (
      dispatch_id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms,
      response_status, response_headers, response_body, error
    )
    select
      id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms,
      response_status, response_headers, response_body, attempt_error
    from (select * from finished union all select * from retried) as made
    returning dispatch_id as id, now()::timestamptz(3) as recorded_at
  `
  return new Map(recorded.map(({ id, recorded_at }) => [id, recorded_at]))
}
