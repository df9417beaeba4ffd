/** Reads a hook and its due dispatches. */

import type { Lane, LaneVersion } from '../../core/delivery/lanes.ts'
import { decryptBody } from '../../core/dispatches/bodies.ts'
import { cancelUnsendable } from '../../core/dispatches/cancel-unsendable.ts'
import { holdDue, waitsInFreezes } from '../../core/dispatches/freezes.ts'
import { freezeWindow } from '../../core/freezes/held-until.ts'
import { databaseClock, monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { maskOf } from '../../core/security/masking.ts'
import { secretsOfHeader } from '../../core/security/secret-forms.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { batched, laneCursors } from '../delivery/batched.ts'
import type { Fetched, NextDue } from '../delivery/destination.ts'
import { type DecryptedHook, type DueDispatch, openHook, readHook } from './hook.ts'

/** So many requests a hook gets at the same time, and so many dispatches are read at once. */
const IN_FLIGHT = 10

interface Wanted {
  id: string
  organization_id: string
  /** Of a paused or disabled hook. */
  only_tests: boolean
  /** In a freeze: only what does not wait for its end. */
  is_frozen: boolean
  in_flight: string[]
  count: number
  bytes: number
  /** When the first of them was due; null: at any time. */
  since: string | null
}

interface ReadDispatch extends EncryptedDispatch {
  is_expired: boolean | null
}

/** A row of a lane: with a dispatch, and how many were found, or with nothing that is due. */
type DueRow = (ReadDispatch & { found: number }) | { id: null }

const isDue = <Row extends DueRow>(row: Row): row is Exclude<Row, { id: null }> => row.id !== null

interface ReadLane {
  read: ReadDispatch[]
  /** Of the lane; null if it is deleted. */
  version: number | null
  revision: number | null
  now: string | null
  hasMore: boolean
}

/** What one statement reads at most, after the first body of each lane. */
const BATCH_BYTES = 524_288

/** PostgreSQL knows the size of a body without reading it, and reads only those that are returned. */
const readDue = batched(
  async (wanted: Wanted[]): Promise<ReadLane[]> => {
    const lanes = wanted.map((each) => ({ ...each, bytes: Math.floor(Math.min(each.bytes, BATCH_BYTES / wanted.length)) }))
    const [{ only_tests, is_frozen } = { only_tests: false, is_frozen: false }] = wanted
    const rows = await sql<(DueRow & LaneVersion & { lane_id: string; now: string; oldest: string | null })[]>`
      select
        lane.id as lane_id, lane.version, lane.revision, delivery.found, now() as now,
        -- Once for each lane.
        case
          when coalesce(delivery.turn, 1) = 1 then (
            select min(due_at)
            from deliveries
            where lane_id = lane.id
              and organization_id = lane.organization_id
              and due_at >= coalesce(wanted.since, '-infinity')
          )
        end as oldest,
        delivery.id, delivery.attempt_count, delivery.event, delivery.workspace_id, delivery.project_id,
        delivery.sequence, delivery.max_attempts, delivery.report_within_seconds, delivery.redelivery_of, delivery.request_id,
        delivery.traceparent, delivery.expires_at, delivery.expires_at <= now() as is_expired, delivery.encrypted_body,
        case when delivery.encrypted_body is null then delivery.body end as body
      from jsonb_to_recordset(${sql.json(lanes as unknown as Json)}) as wanted (
        id uuid, organization_id uuid, in_flight uuid[], count integer, bytes bigint, since timestamptz
      )
      join lanes as lane on lane.id = wanted.id and lane.organization_id = wanted.organization_id
      join deployment_hooks as hook on hook.id = wanted.id and hook.organization_id = wanted.organization_id
      left join lateral (
        select
          due.id, due.event, due.attempt_count, due.due_at, dispatch.*,
          case when not due.is_test then seconds_after(dispatch.created_at, hook.max_age_seconds) end as expires_at,
          count(*) over () as found,
          row_number() over by_turn as turn,
          sum(coalesce(octet_length(dispatch.encrypted_body), octet_length(dispatch.body))) over by_turn as bytes
        from (
          select id, event, attempt_count, due_at, is_test
          from deliveries as delivery
          where lane_id = wanted.id
            and organization_id = wanted.organization_id
            and due_at >= coalesce(wanted.since, '-infinity')
            and due_at <= now()
            ${only_tests ? sql`and is_test` : sql``}
            ${is_frozen ? sql`and not ${waitsInFreezes}` : sql``}
            and id <> all(wanted.in_flight)
          order by due_at, id
          limit wanted.count
        ) as due
        -- The limit makes PostgreSQL look up each by its key. Without it, a plan that was cached while the table was small reads
        -- all of it.
        join lateral (
          select
            workspace_id, project_id, sequence, max_attempts, report_within_seconds, redelivery_of, request_id, traceparent,
            created_at, encrypted_body, body
          from dispatches
          where id = due.id and organization_id = wanted.organization_id and body is not null
          limit 1
        ) as dispatch on true
        window by_turn as (order by due.due_at, due.id)
      ) as delivery on delivery.turn = 1 or delivery.bytes <= wanted.bytes
      order by delivery.due_at, delivery.id
    `
    const byLane = Map.groupBy(rows, ({ lane_id }) => lane_id)
    return wanted.map(({ id, count, since }) => {
      const [first, ...others] = byLane.get(id) ?? []
      const { now = null, version = null, revision = null, oldest = null } = first ?? {}
      if (now) laneCursors.note(id, since, oldest && oldest < now ? oldest : now)
      const read = first && isDue(first) ? [first, ...others.filter(isDue)] : []
      const found = read[0]?.found ?? 0
      return { read, version, revision, now, hasMore: read.length < found || found >= count }
    })
  },
  ({ only_tests, is_frozen }) => `${only_tests} ${is_frozen}`,
)

/**
 * Reads the hook and its due dispatches, and cancels what must not be sent any more. For a hook that a worker
 * serves, only this function cancels, because only that worker knows what is in flight.
 *
 * In a freeze, automatic dispatches that are due wait until its end. A freeze that begins later makes what was read stale.
 *
 * A dispatch is never sent after one that supersedes it: dispatches become visible in their order.
 */
export async function fetchDue(
  lane: Lane,
  inFlight: string[],
  maxBytes: number,
): Promise<Fetched<DecryptedHook, DueDispatch> | null> {
  const { id, organization_id } = lane
  const reading = { in_flight: inFlight, count: IN_FLIGHT, bytes: maxBytes, since: laneCursors.since(id) }
  const wanted = { id, organization_id, only_tests: false, is_frozen: false, ...reading }
  const readAt = monotonicMs()
  // At once, because most hooks are neither paused nor frozen, so that the dispatches need not be read again.
  const [row, usual] = await Promise.all([readHook(lane), readDue(wanted)])
  if (!row) return null
  const window = freezeWindow(row)
  const isFrozen = window?.holds ?? false
  if (window?.holds) await holdDue(sql, [{ ...lane, window }], inFlight)
  const { only_tests, max_age_seconds } = row
  const isUsual = !only_tests && !isFrozen && usual.version === row.version && usual.revision === row.revision
  // The version was read before the dispatches: new work in between has raised it.
  const { read, now, hasMore } = isUsual ? usual : await readDue({ ...wanted, only_tests, is_frozen: isFrozen })
  // What has expired in a freeze is not read.
  const mayExpire = isFrozen && max_age_seconds !== null
  const hasUnsendable = row.has_unsendable || mayExpire || read.some(({ is_expired }) => is_expired)
  const cancelled = new Set(hasUnsendable ? await cancelUnsendable(sql, [organization_id], [id], inFlight, isFrozen) : [])
  const sendable = read.filter(({ id }) => !cancelled.has(id))
  const target = await openHook(lane, row, databaseClock(now), sendable.length > 0)
  const due = await decryptDue(sendable, target.secrets)
  return {
    target,
    version: row.version,
    revision: row.revision,
    due,
    hasMore: hasMore || due.length < read.length,
    limit: row.timed_out ? 1 : IN_FLIGHT,
    isFailing: row.timed_out,
    // When a freeze begins.
    staleAt: window && !isFrozen ? readAt + Date.parse(window.until) - Date.parse(row.read_at) : null,
  }
}

/**
 * When each hook has something to send next. If a dispatch expires before its retry, it is due at its expiry. Of a disabled hook, what waits
 * is to be cancelled now.
 */
export const nextDue = (tx: Tx, lane_ids: string[], organization_ids: string[]): Promise<NextDue[]> => tx<NextDue[]>`
  select hook.id, min(case when hook.enabled or delivery.is_test then delivery.due_at else now() end) as at
  from deployment_hooks as hook
  join deliveries as delivery on delivery.lane_id = hook.id and delivery.organization_id = hook.organization_id
  where hook.id = any(${lane_ids}::uuid[])
    and hook.organization_id = any(${organization_ids}::uuid[])
    and delivery.due_at >= coalesce(${laneCursors.sinceAll(lane_ids)}, '-infinity'::timestamptz)
    and (not hook.enabled or not hook.paused or delivery.is_test)
    and ${isActiveOrganization(sql`hook.organization_id`)}
  group by hook.id
`

/** A due dispatch as it is stored: `body` or `encrypted_body` is null. */
interface EncryptedDispatch extends Omit<DueDispatch, 'body' | 'mask' | 'origin' | 'readAt'> {
  body: string | null
  encrypted_body: Uint8Array | null
}

/**
 * @param ofHook the secrets of their hook. A mask of its own is only made for a body that contains others: it takes longer than sending.
 * @throws UnreadableSecret if no key decrypts a body
 */
const decryptDue = (due: EncryptedDispatch[], ofHook: string[]): Promise<DueDispatch[]> =>
  Promise.all(
    due.map(async ({ body: plain, encrypted_body, ...read }) => {
      const dispatch = { ...read, readAt: monotonicMs() }
      if (encrypted_body === null) return { ...dispatch, body: plain ?? '', mask: null, origin: null }
      const { body, secrets, origin } = await decryptBody(encrypted_body)
      const others = secrets.flatMap(secretsOfHeader).filter((secret) => !ofHook.includes(secret))
      return { ...dispatch, body, origin, mask: others.length === 0 ? null : maskOf([...ofHook, ...others]) }
    }),
  )
