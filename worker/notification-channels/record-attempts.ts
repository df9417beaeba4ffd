/** The statement that records attempts of messages. */

import { queueChanges } from '../../core/delivery/queue-changes.ts'
import { sql } from '../../core/platform/database.ts'
import type { Tx } from '../../sql/index.ts'
import type { MessageAttempt } from './attempt.ts'

const toAttemptRow = ({ lane, item, started_at, result, outcome }: MessageAttempt) => ({
  id: item.id,
  organization_id: lane.organization_id,
  number: item.attempt_count + 1,
  started_at,
  status: outcome.status,
  after_seconds: outcome.status === 'pending' ? outcome.after_seconds : null,
  duration_ms: result.duration_ms,
  response_status: result.response_status,
  error: 'error' in outcome ? outcome.error : null,
  accepted: result.accepted ?? [],
  refused: result.refused ?? {},
})

/**
 * Records attempts; `queueChanges` says which of them count.
 *
 * @returns the ids of the messages whose attempts were recorded
 */
export async function recordAttempts(tx: Tx, attempts: MessageAttempt[]): Promise<Set<string>> {
  const rows = attempts.map(toAttemptRow)
  if (rows.length === 0) return new Set()
  const moves = rows.map(({ id, organization_id, number, status, after_seconds, error }) => ({
    id,
    organization_id,
    number,
    status,
    after_seconds,
    error,
  }))
  const complete = sql`
    update channel_messages as message
    set status        = finished.status,
        attempt_count = finished.number,
        completed_at  = now(),
        error         = finished.error
    from finished
    where message.id = finished.id
      and message.organization_id = finished.organization_id
    returning message.id, message.completed_at
  `
  const recorded = await tx<{ id: string }[]>`
    with attempt as materialized (
      select *
      from json_to_recordset(${JSON.stringify(moves)}::text::json) as attempt (
        id uuid, organization_id uuid, number integer, status text, after_seconds double precision, error jsonb
      )
    ),
    ${queueChanges({ attempts: rows, retry_at: sql`seconds_after(now(), attempt.after_seconds)`, complete })}
  `
  const ids = new Set(recorded.map(({ id }) => id))
  await insertAttempts(
    tx,
    rows.filter(({ id }) => ids.has(id)),
  )
  return ids
}

/** The history of attempts. */
async function insertAttempts(tx: Tx, rows: ReturnType<typeof toAttemptRow>[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into channel_attempts (
      message_id, organization_id, number, started_at, duration_ms, response_status, error, accepted, refused
    )
    select id, organization_id, number, started_at, duration_ms, response_status, error, accepted, refused
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as attempt (
      id uuid, organization_id uuid, number integer, started_at timestamptz, duration_ms integer, response_status integer,
      error jsonb, accepted text[], refused jsonb
    )
  `
}
