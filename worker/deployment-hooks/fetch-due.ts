/** Reads a hook and its due dispatches. */

import { isActiveOrganization } from '../../core/active-organizations.ts'
import type { Lane } from '../../core/delivery/lanes.ts'
import { decryptBody, decryptTemplateSecrets } from '../../core/dispatches/bodies.ts'
import { cancelUnsendable } from '../../core/dispatches/cancel-unsendable.ts'
import { holdDue, waitsInFreezes } from '../../core/dispatches/freezes.ts'
import { type FreezesRow, freezeColumns, freezeWindow, joinFreezes } from '../../core/freezes/windows.ts'
import { databaseClock, monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { maskOf, secretsOfHeader, secretsOfSigning } from '../../core/security/masking.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { type SignatureKind, signerOf } from '../../core/security/signing.ts'
import type { Tx } from '../../sql/index.ts'
import type { LaneSnapshot } from '../delivery/destination.ts'
import type { DecryptedHook, DueDispatch } from './attempt.ts'
import { SUCCESS_INTERVAL_SECONDS } from './disable.ts'

/** Maximum number of requests in flight to one hook. */
const IN_FLIGHT = 10

interface HookRow extends FreezesRow {
  url: string
  target_since: string
  signature: SignatureKind
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  headers: Uint8Array | null
  template_secrets: Uint8Array | null
  timed_out: boolean
  is_healthy: boolean
  version: number
  revision: number
  only_tests: boolean
  max_age_seconds: number | null
  has_unsendable: boolean
}

/** The hook and its lane; null if the hook or its organization is deleted. */
async function readHook({ id, organization_id }: Lane): Promise<HookRow | null> {
  const [hook] = await sql<HookRow[]>`
    select
      hook.url, hook.target_since, hook.signature, hook.secret, hook.headers, hook.template_secrets,
      case when hook.previous_secret_until > now() then hook.previous_secret end as previous_secret,
      coalesce(health.timed_out, false) as timed_out,
      coalesce(
        health.failures = 0
          and not health.timed_out
          and health.last_success_at > now() - ${SUCCESS_INTERVAL_SECONDS} * interval '1 second',
        false
      ) as is_healthy,
      lane.version,
      lane.revision,
      not hook.enabled or hook.paused as only_tests,
      hook.max_age_seconds,
      not hook.enabled
        or hook.supersede
        or exists (
          select from deliveries where lane_id = lane.id and organization_id = ${organization_id} and cancel_requested
        ) as has_unsendable,
      ${freezeColumns}
    from lanes as lane
    join deployment_hooks as hook on hook.id = lane.id and hook.organization_id = ${organization_id}
    ${joinFreezes(sql`hook`)}
    left join lane_health as health on health.lane_id = lane.id and health.organization_id = ${organization_id}
    where lane.id = ${id}
      and lane.organization_id = ${organization_id}
      and ${isActiveOrganization(sql`${organization_id}`)}
  `
  return hook ?? null
}

/**
 * Due dispatches in sending order, and whether there may be more. For a paused or disabled hook, only tests; in a freeze,
 * only what does not wait for its end. PostgreSQL knows the
 * size of a body without reading it, and reads only those that are returned.
 */
async function readDue(
  { id, organization_id }: Lane,
  { only_tests, max_age_seconds }: HookRow,
  inFlight: string[],
  limit: number,
  maxBytes: number,
  isFrozen: boolean,
) {
  const read = await sql<(EncryptedDispatch & { found: number; is_expired: boolean | null; now: string })[]>`
    select
      delivery.id, delivery.attempt_count, delivery.event, delivery.found, dispatch.workspace_id, dispatch.project_id,
      dispatch.sequence, dispatch.max_attempts, dispatch.report_within_seconds, dispatch.redelivery_of, dispatch.request_id,
      dispatch.traceparent, expiry.expires_at, expiry.expires_at <= now() as is_expired, now() as now,
      case when body.encrypted_body is null then body.body end as body, body.encrypted_body
    from (
      select
        due.id, due.event, due.attempt_count, due.due_at, due.is_test,
        count(*) over () as found,
        row_number() over by_turn as turn,
        sum(coalesce(octet_length(body.encrypted_body), octet_length(body.body))) over by_turn as bytes
      from (
        select id, event, attempt_count, due_at, is_test
        from deliveries as delivery
        where lane_id = ${id}
          and organization_id = ${organization_id}
          and due_at <= now()
          ${only_tests ? sql`and is_test` : sql``}
          ${isFrozen ? sql`and not ${waitsInFreezes}` : sql``}
          and id <> all(${inFlight}::uuid[])
        order by due_at, id
        limit ${limit}
      ) as due
      join dispatch_bodies as body on body.dispatch_id = due.id and body.organization_id = ${organization_id}
      window by_turn as (order by due.due_at, due.id)
    ) as delivery
    join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = ${organization_id}
    join dispatch_bodies as body on body.dispatch_id = delivery.id and body.organization_id = ${organization_id}
    cross join lateral (
      select
        case when not delivery.is_test then dispatch.created_at + ${max_age_seconds}::integer * interval '1 second' end as expires_at
    ) as expiry
    where delivery.turn = 1 or delivery.bytes <= ${maxBytes}::bigint
    order by delivery.due_at, delivery.id
  `
  const found = read[0]?.found ?? 0
  return { read, clock: databaseClock(read[0]?.now ?? null), hasMore: read.length < found || found >= limit }
}

/**
 * Reads the hook and its due dispatches, and cancels what must not be sent any more. For a hook that a worker
 * serves, only this function cancels, because only that worker knows what is in flight.
 *
 * In a freeze, automatic dispatches that are due wait until its end. A freeze that begins later makes the snapshot stale.
 *
 * A dispatch is never sent after one that supersedes it: dispatches become visible in their order.
 *
 * @param readAhead how many to read ahead; if their size allows it, at least as many as can be sent at once are read
 */
export async function fetchDue(
  lane: Lane,
  inFlight: string[],
  readAhead: number,
  maxBytes: number,
): Promise<LaneSnapshot<DecryptedHook, DueDispatch> | null> {
  const readAt = monotonicMs()
  // The version is read before the dispatches: new work in between raises it.
  const row = await readHook(lane)
  if (!row) return null
  const limit = Math.max(IN_FLIGHT, readAhead)
  const window = freezeWindow(row)
  const isFrozen = window?.holds ?? false
  if (window?.holds) await holdDue(sql, [{ ...lane, window }], inFlight)
  const { read, clock, hasMore } = await readDue(lane, row, inFlight, limit, Math.floor(maxBytes), isFrozen)
  // What has expired in a freeze is not read.
  const mayExpire = isFrozen && row.max_age_seconds !== null
  const hasUnsendable = row.has_unsendable || mayExpire || read.some(({ is_expired }) => is_expired)
  const cancelled = new Set(hasUnsendable ? await cancelUnsendable(sql, [lane.organization_id], [lane.id], inFlight) : [])
  const sendable = read.filter(({ id }) => !cancelled.has(id))
  // Decrypted only if there is something to send: reads of a paused hook mostly find nothing.
  const encrypted =
    sendable.length > 0
      ? { secrets: [row.secret, row.previous_secret], headers: row.headers, template: row.template_secrets }
      : { secrets: [], headers: null, template: null }
  const secrets = await Promise.all(encrypted.secrets.filter((each) => each !== null).map(decrypt))
  const headers: Record<string, string> = encrypted.headers ? JSON.parse(await decrypt(encrypted.headers)) : {}
  const secretsOfHook = [
    ...secrets.flatMap(secretsOfSigning),
    ...Object.values(headers).flatMap(secretsOfHeader),
    ...[...(await decryptTemplateSecrets(encrypted.template)).values()].flatMap(secretsOfHeader),
  ]
  const due = await decryptDue(sendable, secretsOfHook)
  return {
    target: {
      id: lane.id,
      organization_id: lane.organization_id,
      url: row.url,
      target_since: row.target_since,
      clock,
      sign: signerOf(row.signature, secrets),
      headers,
      mask: maskOf(secretsOfHook),
      isHealthy: row.is_healthy,
    },
    version: row.version,
    revision: row.revision,
    due,
    hasMore: hasMore || due.length < read.length,
    limit: row.timed_out ? 1 : IN_FLIGHT,
    isFailing: row.timed_out,
    staleAt: window && !isFrozen ? readAt + Date.parse(window.until) - Date.parse(row.now) : null,
  }
}

/** When the hook has something to send next. If a dispatch expires before its retry, it is due at its expiry. */
export async function nextDueAt(tx: Tx, { id, organization_id }: Lane): Promise<string | null> {
  const [next] = await tx<{ at: string | null }[]>`
    select min(delivery.due_at) as at
    from deployment_hooks as hook
    join deliveries as delivery on delivery.lane_id = hook.id and delivery.organization_id = hook.organization_id
    where hook.id = ${id}
      and hook.organization_id = ${organization_id}
      and (hook.enabled and not hook.paused or delivery.is_test)
      and ${isActiveOrganization(sql`${organization_id}`)}
  `
  return next?.at ?? null
}

/** A due dispatch as it is stored: `body` or `encrypted_body` is null. */
interface EncryptedDispatch extends Omit<DueDispatch, 'body' | 'mask' | 'origin'> {
  body: string | null
  encrypted_body: Uint8Array | null
}

/**
 * Decrypts due dispatches.
 *
 * @param ofHook the secrets of their hook. A mask of its own is only made for a body that contains others: it takes longer than sending.
 * @throws UnreadableSecret if no key decrypts a body
 */
const decryptDue = (due: EncryptedDispatch[], ofHook: string[]): Promise<DueDispatch[]> =>
  Promise.all(
    due.map(async ({ body: plain, encrypted_body, ...dispatch }) => {
      if (encrypted_body === null) return { ...dispatch, body: plain ?? '', mask: null, origin: null }
      const { body, secrets, origin } = await decryptBody(encrypted_body)
      const others = secrets.flatMap(secretsOfHeader).filter((secret) => !ofHook.includes(secret))
      return { ...dispatch, body, origin, mask: others.length === 0 ? null : maskOf([...ofHook, ...others]) }
    }),
  )
