/** The statement that records attempts of dispatches. */

import { sql } from '../../core/platform/database.ts'
import type { Tx } from '../../sql/index.ts'
import { queueMoves } from '../delivery/queue-moves.ts'
import type { DispatchAttempt } from './attempt.ts'

const toAttemptRow = ({ lane, item, started_at, result, outcome }: DispatchAttempt) => ({
  id: item.id,
  organization_id: lane.organization_id,
  number: item.attempt_count + 1,
  started_at,
  status: outcome.kind === 'retry' ? 'pending' : outcome.kind,
  after_seconds: outcome.kind === 'retry' ? outcome.after_seconds : null,
  expires_at: item.expires_at,
  address: result.address,
  dns_ms: result.dns_ms,
  first_byte_ms: result.first_byte_ms,
  duration_ms: result.duration_ms,
  response_status: result.status,
  response_headers: result.headers,
  response_body: result.body,
  error: outcome.kind === 'succeeded' ? null : outcome.error,
  // A successful attempt may have an error that concerns its body; the dispatch then has none.
  attempt_error: outcome.kind === 'succeeded' ? result.error : outcome.error,
})

/** A dispatch that expires before its retry is due at its expiry, and cancelled then. */
const RETRY_AT = sql`least(now() + attempt.after_seconds * interval '1 second', attempt.expires_at)`

/**
 * Records attempts; `queueMoves` says which of them count.
 *
 * @returns when each was recorded, by dispatch id; those that changed nothing are absent
 */
export async function recordAttempts(tx: Tx, attempts: DispatchAttempt[]): Promise<Map<string, string>> {
  const recorded = await tx<{ id: string; recorded_at: string }[]>`
    with attempt as materialized (
      select *
      from json_to_recordset(${JSON.stringify(attempts.map(toAttemptRow))}::text::json) as attempt (
        id uuid, organization_id uuid, number integer, started_at timestamptz, status text,
        after_seconds double precision, expires_at timestamptz,
        address text, dns_ms integer, first_byte_ms integer, duration_ms integer,
        response_status integer, response_headers jsonb, response_body text, error jsonb, attempt_error jsonb
      )
    ),
    ${queueMoves(RETRY_AT)},
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
