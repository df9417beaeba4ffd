/** The statement that records attempts of messages. */

import { sql } from '../../core/platform/database.ts'
import { queueMoves } from '../../core/queue-moves.ts'
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
 * Records attempts; `queueMoves` says which of them count.
 *
 * @returns the ids of the messages whose attempts were recorded
 */
export async function recordAttempts(tx: Tx, attempts: MessageAttempt[]): Promise<Set<string>> {
  const recorded = await tx<{ id: string }[]>`
    with attempt as materialized (
      select *
      from json_to_recordset(${JSON.stringify(attempts.map(toAttemptRow))}::text::json) as attempt (
        id uuid, organization_id uuid, number integer, started_at timestamptz, status text, after_seconds double precision,
        duration_ms integer, response_status integer, error jsonb, accepted text[], refused jsonb
      )
    ),
    ${queueMoves(sql`now() + attempt.after_seconds * interval '1 second'`)},
    completed as (
      update channel_messages as message
      set status        = finished.status,
          attempt_count = finished.number,
          completed_at  = now(),
          error         = finished.error
      from finished
      where message.id = finished.id
        and message.organization_id = finished.organization_id
    )
    insert into channel_attempts (
      message_id, organization_id, number, started_at, duration_ms, response_status, error, accepted, refused
    )
    select id, organization_id, number, started_at, duration_ms, response_status, error, accepted, refused
    from (select * from finished union all select * from retried) as made
    returning message_id as id
  `
  return new Set(recorded.map(({ id }) => id))
}
