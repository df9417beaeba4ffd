/** Claiming the dispatches of a pull hook. */
import { decryptBody } from '../../core/dispatches/bodies.ts'
import { cancelUnsendable } from '../../core/dispatches/cancel-unsendable.ts'
import { holdDue, waitsInFreezes } from '../../core/dispatches/freezes.ts'
import { endOverdueLeases, isOverdue } from '../../core/dispatches/pull-leases.ts'
import { requestHeaders, type SigningHook } from '../../core/dispatches/request-headers.ts'
import { attemptJoins, dispatchColumns } from '../../core/dispatches/view.ts'
import { type FreezesRow, type FreezeWindow, freezeColumns, freezeWindow, joinFreezes } from '../../core/freezes/held-until.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { claimedDispatches } from '../../core/platform/metrics.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { type SignatureKind, signerOf } from '../../core/security/signing.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { newPullToken, PULL_PREFIX, pullTokenHash } from '../credentials/token-formats.ts'
import { lockHook, recordHook } from '../deployment-hooks/hooks.ts'
import type { Dispatch } from '../dispatches/schema.ts'
import { NO_PULL } from '../plugins/machine-tokens.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { notFound, Problem } from '../problems.ts'
import type { Claimed, ClaimInput, PullToken } from './schema.ts'

export const notAPullHook = (): Problem =>
  new Problem('not_a_pull_hook', 'The dispatches of this hook are sent to its url. Only a hook with the mode pull can do this.')

/**
 * @param presented the bearer token of the caller; pull tokens are checked
 * @throws Problem `unauthenticated` if it is a pull token that was replaced
 */
export function requireCurrentToken(hook: { pull_token_hash: Uint8Array | null }, presented: string | null): void {
  if (!presented?.startsWith(PULL_PREFIX)) return
  if (!hook.pull_token_hash || !Buffer.from(pullTokenHash(presented)).equals(hook.pull_token_hash)) throw unauthenticated(NO_PULL)
}

interface PulledHook extends FreezesRow {
  mode: 'push' | 'pull'
  signature: SignatureKind
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  only_tests: boolean
  max_age_seconds: number | null
  has_overdue: boolean
  has_unsendable: boolean | null
  was_idle: boolean
}

/** @param token the pull token of the caller; null for a user */
async function readHook({ id, organization_id }: ResourceKey<'hook'>, token: string | null): Promise<PulledHook> {
  const [hook] = await sql<(PulledHook & { pull_token_hash: Uint8Array | null })[]>`
    select
      hook.mode, hook.signature, hook.secret, hook.pull_token_hash, hook.max_age_seconds,
      not hook.enabled or hook.paused as only_tests,
      hook.temporary and hook.claimed_at < now() - interval '1 hour' as was_idle,
      case when hook.previous_secret_until > now() then hook.previous_secret end as previous_secret,
      exists (
        select 1
        from deliveries
        where lane_id = hook.id and organization_id = ${organization_id} and lease_until <= now()
      ) as has_overdue,
      case
        when not hook.enabled or hook.supersede then exists (
          select 1
          from deliveries
          where lane_id = hook.id and organization_id = ${organization_id} and lease_until is null
        )
        -- Of what has expired, the sweep finds the rest; a claim skips all of it.
        when hook.max_age_seconds is not null and not hook.paused then (
          select dispatch.created_at <= now() - hook.max_age_seconds * interval '1 second'
          from deliveries as delivery
          join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = delivery.organization_id
          where delivery.lane_id = hook.id
            and delivery.organization_id = ${organization_id}
            and dispatch.organization_id = ${organization_id}
            and delivery.due_at <= now()
            and delivery.lease_until is null
            and not delivery.is_test
          order by delivery.due_at, delivery.id
          limit 1
        )
      end as has_unsendable,
      ${freezeColumns}
    from deployment_hooks as hook
    ${joinFreezes(sql`hook`)}
    where hook.id = ${id}
      and hook.organization_id = ${organization_id}
      and ${isActiveOrganization(sql`${organization_id}`)}
  `
  if (!hook) throw notFound('hook')
  // The token may have been replaced while the caller waited.
  requireCurrentToken(hook, token)
  if (hook.mode !== 'pull') throw notAPullHook()
  return hook
}

/** Keeps a temporary hook. Not at each claim: a write for each would be wasteful. */
const keep = ({ id, organization_id }: ResourceKey<'hook'>) => sql`
  update deployment_hooks
  set claimed_at = now()
  where id = ${id} and organization_id = ${organization_id}
`

/** A hook whose dispatches can be claimed. Its keys are decrypted before anything is leased. */
interface ReadyHook extends SigningHook, Pick<PulledHook, 'only_tests' | 'max_age_seconds'> {
  /** The pull token of the caller; null for a user. */
  token: string | null
  /** Null if its environment has no freezes. */
  window: FreezeWindow | null
}

/**
 * Prepares a claim: ends leases that have run out, and cancels what must not be claimed any more.
 * @throws Problem `not_a_pull_hook`; `unauthenticated` if the token was replaced; `not_found`
 */
export async function prepareClaim(hook: ResourceKey<'hook'>, token: string | null): Promise<ReadyHook> {
  const found = await readHook(hook, token)
  const { signature, secret, previous_secret, has_overdue, has_unsendable, was_idle, only_tests, max_age_seconds } = found
  const secrets = await Promise.all([secret, previous_secret].filter((each) => each !== null).map(decrypt))
  if (was_idle) await keep(hook)
  if (has_overdue) {
    const ofHook = sql`delivery.lane_id = ${hook.id} and delivery.organization_id = ${hook.organization_id}`
    await transaction((tx) => endOverdueLeases(tx, sql`${isOverdue} and ${ofHook}`))
  }
  const window = freezeWindow(found)
  const isFrozen = window?.holds ?? false
  if (window?.holds) await holdDue(sql, [{ ...hook, window }])
  if (has_unsendable) await cancelUnsendable(sql, [hook.organization_id], [hook.id], [], isFrozen)
  return { sign: signerOf(signature, secrets), headers: {}, only_tests, max_age_seconds, token, window }
}

/** A dispatch that was leased just now, with what its headers are made of. */
interface Leased extends Dispatch {
  lease_until: string
  /** Of the lease, in seconds since 1970. */
  timestamp: number
  traceparent: string | null
  report_within_seconds: number | null
  body: string
  encrypted_body: Uint8Array | null
  was_due_at: string
}

/**
 * Leases due dispatches, the oldest due first. Concurrent claims skip the rows of one another. One statement, so that a claim
 * needs no transaction: it selects from the rows that it leased, because it sees the queue as it was before.
 */
const takeDue = (
  db: Queryable,
  { id, organization_id }: ResourceKey<'hook'>,
  { only_tests, max_age_seconds, token, window }: ReadyHook,
  { limit = 1, lease_seconds = 60 }: ClaimInput,
) => db<Leased[]>`
  with due as materialized (
    select delivery.id, delivery.due_at
    from deliveries as delivery
    where delivery.lane_id = ${id}
      and delivery.organization_id = ${organization_id}
      and delivery.due_at <= now()
      and delivery.lease_until is null
      and not delivery.cancel_requested
      ${only_tests ? sql`and delivery.is_test` : sql``}
      ${max_age_seconds === null ? sql`` : sql`and (delivery.is_test or ${isYounger(max_age_seconds, organization_id)})`}
      ${window === null ? sql`` : sql`and ${isFree(window)}`}
      ${token === null ? sql`` : sql`and ${isCurrent(token, id, organization_id)}`}
    order by delivery.due_at, delivery.id
    limit ${limit}
    for update of delivery skip locked
  ),
  leased as (
    update deliveries as delivery
    set leased_at   = now(),
        lease_until = now() + ${lease_seconds} * interval '1 second',
        due_at      = now() + ${lease_seconds} * interval '1 second'
    from due
    where delivery.id = due.id and delivery.organization_id = ${organization_id}
    returning
      delivery.id, delivery.organization_id, delivery.attempt_count, delivery.due_at, delivery.lease_until, delivery.held_until,
      due.due_at as was_due_at
  )
  select
    ${dispatchColumns}, delivery.lease_until, floor(extract(epoch from now()))::integer as timestamp,
    dispatch.traceparent, dispatch.report_within_seconds, dispatch.body, dispatch.encrypted_body,
    delivery.was_due_at
  from leased as delivery
  join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = ${organization_id}
  ${attemptJoins}
  order by delivery.was_due_at, delivery.id
`

/** SQL: whether the dispatch of `delivery` has not expired. */
const isYounger = (max_age_seconds: number, organization_id: string) => sql`(
  select created_at > now() - ${max_age_seconds}::integer * interval '1 second'
  from dispatches
  where id = delivery.id and organization_id = ${organization_id}
)`

/** SQL: whether no freeze holds `delivery` back, also if one begins after the hook was read. */
const isFree = ({ holds, until }: FreezeWindow) =>
  holds ? sql`not ${waitsInFreezes}` : sql`(now() < ${until}::timestamptz or not ${waitsInFreezes})`

/** SQL: whether a pull token belongs to a hook. */
const isCurrent = (token: string, id: string, organization_id: string) => sql`(
  select pull_token_hash = ${pullTokenHash(token)}
  from deployment_hooks
  where id = ${id} and organization_id = ${organization_id}
)`

/** Gives back what was leased just now, as it was before. It does not count as an attempt. */
async function release(db: Queryable, { id, organization_id }: ResourceKey<'hook'>, leased: Leased[]): Promise<void> {
  await db`
    update deliveries as delivery
    set leased_at   = null,
        lease_until = null,
        due_at      = given.was_due_at
    from jsonb_to_recordset(
      ${sql.json(leased.map(({ id, lease_until, was_due_at }) => ({ id, lease_until, was_due_at })))}
    ) as given (
      id uuid, lease_until timestamptz, was_due_at timestamptz
    )
    where delivery.lane_id = ${id}
      and delivery.organization_id = ${organization_id}
      and delivery.id = given.id
      and delivery.lease_until = given.lease_until
  `
}

/**
 * Claims due dispatches: leases them to the caller, and signs them.
 * @throws UnreadableSecret if no key decrypts the body of one; then nothing is leased. Problem `unauthenticated` if the token was
 *   replaced while the claim was prepared
 */
export async function claim(db: Queryable, hook: ResourceKey<'hook'>, ready: ReadyHook, input: ClaimInput): Promise<Claimed[]> {
  const leased = await takeDue(db, hook, ready, input)
  if (leased.length === 0 && ready.token !== null) await readHook(hook, ready.token)
  try {
    const claimed = await Promise.all(leased.map((each) => claimedOf(each, ready)))
    if (leased.length > 0) claimedDispatches.count([], leased.length)
    return claimed
  } catch (error) {
    await release(db, hook, leased)
    throw error
  }
}

async function claimedOf(leased: Leased, ready: ReadyHook): Promise<Claimed> {
  const { lease_until, timestamp, traceparent, report_within_seconds, body, encrypted_body, was_due_at: _, ...dispatch } = leased
  const payload = encrypted_body ? (await decryptBody(encrypted_body)).body : body
  const { id, redelivery_of, event, sequence, attempt_count } = dispatch
  const signed = { id, redelivery_of, report_within_seconds, event, sequence, attempt_count, body: payload }
  return { dispatch, payload, headers: requestHeaders(ready, signed, timestamp, traceparent), lease_until }
}

/** Gives a pull hook a new pull token, in place of the one before. @throws Problem `not_a_pull_hook` */
export async function replacePullToken(tx: Tx, by: Caller, hook: Resource<'hook'>): Promise<PullToken> {
  const locked = await lockHook(tx, hook)
  if (locked.mode !== 'pull') throw notAPullHook()
  const token = newPullToken()
  await tx`
    update deployment_hooks
    set pull_token_hash = ${pullTokenHash(token)}
    where id = ${hook.id} and organization_id = ${hook.organization_id}
  `
  const detail = `${by.name} created a pull token for the deployment hook ${locked.name}; the one before no longer works.`
  await recordHook(tx, by, hook, 'pull_token_created', hook.id, detail)
  return { token }
}
