/** Attempts of dispatches, requests of pushed ones and leases of pulled ones: how many there are and when, their record, and what they emit. */

import type { Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { type History, type Move, recordMoves, retrySchedule } from '../delivery/attempts.ts'
import { emitAll } from '../events/outbox.ts'
import { findSubscriptions } from '../events/subscriptions.ts'
import { config } from '../platform/config.ts'
import { sql } from '../platform/database.ts'
import { SYSTEM } from '../tenants/actors.ts'
import { eventDispatches } from './view.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const SCHEDULE = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]

const retries = retrySchedule(config.HOOK_RETRY_SECONDS, SCHEDULE)

export const MAX_ATTEMPTS = retries.maxAttempts

export const retryDelay = retries.delay

export interface AttemptRow extends Move {
  started_at: string
  address: string | null
  dns_ms: number | null
  first_byte_ms: number | null
  duration_ms: number
  response_status: number | null
  response_headers: Record<string, string> | null
  response_body: string | null
  attempt_error: Move['error']
}

/** A dispatch that succeeds at once is one row: its last attempt is in it. */
const HISTORY: History = {
  table: sql`dispatches`,
  columns: sql`,
    started_at timestamptz, address text, dns_ms integer, first_byte_ms integer, duration_ms integer, response_status integer,
    response_headers jsonb, response_body text, attempt_error jsonb
  `,
  last: sql`,
    last_started_at       = finished.started_at,
    last_address          = finished.address,
    last_dns_ms           = finished.dns_ms,
    last_first_byte_ms    = finished.first_byte_ms,
    last_duration_ms      = finished.duration_ms,
    last_response_status  = finished.response_status,
    last_response_headers = finished.response_headers,
    last_response_body    = finished.response_body,
    last_error            = finished.attempt_error,
    last_lease_until      = finished.lease_until
  `,
}

/**
 * Records attempts; `recordMoves` says which of them count.
 *
 * @returns when the dispatch was completed, by its id; null before its next attempt. Those that changed nothing are absent
 */
export async function recordAttempts(tx: Tx, attempts: AttemptRow[]): Promise<Map<string, string | null>> {
  const recorded = await recordMoves(tx, HISTORY, attempts)
  const repeated = attempts.filter(({ id, status }) => status === 'pending' && recorded.has(id))
  if (repeated.length > 0) await pipeline(tx, keepRepeated(tx, repeated))
  return recorded
}

/**
 * The same for attempts whose rows of the queue are locked, in one round trip: each of them counts, unless its organization was deleted,
 * and then its history is deleted as well.
 */
export async function recordLockedAttempts(tx: Tx, attempts: AttemptRow[]): Promise<Map<string, string | null>> {
  const repeated = attempts.filter(({ status }) => status === 'pending')
  const [recorded] = await Promise.all([
    recordMoves(tx, HISTORY, attempts),
    repeated.length > 0 && keepRepeated(tx, repeated).execute(),
  ])
  return recorded
}

function keepRepeated(tx: Tx, attempts: AttemptRow[]) {
  const rows = attempts.map(({ status, after_seconds, expires_at, error, ...row }) => row)
  return tx`
    insert into repeated_attempts (
      dispatch_id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms,
      response_status, response_headers, response_body, error, lease_until
    )
    select
      id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms,
      response_status, response_headers, response_body, attempt_error, lease_until
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as attempt (
      id uuid, organization_id uuid, number integer, started_at timestamptz, address text, dns_ms integer, first_byte_ms integer,
      duration_ms integer, response_status integer, response_headers jsonb, response_body text, attempt_error jsonb,
      lease_until timestamptz
    )
  `
}

interface Finished {
  id: string
  organization_id: string
  event: string
  status: 'succeeded' | 'failed'
}

/** Emits the events of dispatches that finished in this transaction. A test has none, nor has one that is still pending. */
export async function emitFinished(tx: Tx, finished: Finished[]): Promise<void> {
  const reported = finished.filter(({ event }) => event !== 'test.ping')
  const organization_ids = [...new Set(reported.map(({ organization_id }) => organization_id))]
  const subscriptions = await findSubscriptions(tx, organization_ids, ['deployment.succeeded'])
  // Most dispatches succeed, and are read only if a subscription may match.
  const read = reported.filter(({ status }) => status === 'failed' || subscriptions.length > 0)
  if (read.length === 0) return
  const ids = read.map(({ id }) => id)
  const dispatches = await eventDispatches(tx, organization_ids, ids)
  const order = new Map(ids.map((id, index) => [id, index]))
  dispatches.sort((a, b) => (order.get(a.dispatch.id) ?? 0) - (order.get(b.dispatch.id) ?? 0))
  const events = dispatches.flatMap(({ organization_id, workspace_id, request_id, traceparent, dispatch }) => {
    const { status, project_id, hook_id } = dispatch
    if (status !== 'succeeded' && status !== 'failed') return []
    const scope = { organization_id, workspace_id, project_id }
    const name = `deployment.${status}` as const
    return { scope, name, data: { dispatch }, references: { hook_id }, request_id, traceparent }
  })
  await emitAll(tx, SYSTEM, events, subscriptions)
}
