/** Claiming the dispatches of a pull hook. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { cancelUnsendable } from '../../core/cancel-unsendable.ts'
import { decryptBody } from '../../core/dispatch-bodies.ts'
import { requestHeaders, type SignedDispatch, type SigningHook } from '../../core/dispatch-requests.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { expireLeases } from '../../core/pull-leases.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { type SignatureKind, signerOf } from '../../core/security/signers.ts'
import type { Tx } from '../../sql/index.ts'
import { unauthenticated } from '../auth/access-tokens.ts'
import { NO_PULL } from '../plugins/machine-tokens.ts'
import type { ResourceKey } from '../plugins/request-context.ts'
import { notFound, Problem } from '../problems.ts'
import { pullTokenHash } from '../tokens/pull-token.ts'
import { getDispatches } from './dispatches.ts'
import type { Claimed, ClaimInput } from './pull-schema.ts'

export const notAPullHook = (): Problem =>
  new Problem('not_a_pull_hook', 'The dispatches of this hook are sent to its url. Only a hook with the mode pull can do this.')

interface PulledHook {
  mode: 'push' | 'pull'
  signature: SignatureKind
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  only_tests: boolean
  max_age_seconds: number | null
  has_expired: boolean
  has_unsendable: boolean
}

/** @param token the pull token of the caller; null for a user */
async function readHook({ id, organization_id }: ResourceKey, token: string | null): Promise<PulledHook> {
  const [hook] = await sql<(PulledHook & { pull_token_hash: Uint8Array | null })[]>`
    select
      hook.mode, hook.signature, hook.secret, hook.pull_token_hash, hook.max_age_seconds,
      not hook.enabled or hook.paused as only_tests,
      case when hook.previous_secret_until > now() then hook.previous_secret end as previous_secret,
      exists (
        select
        from deliveries
        where lane_id = hook.id and organization_id = hook.organization_id and due_at <= now() and lease_until is not null
      ) as has_expired,
      (not hook.enabled or hook.supersede or hook.max_age_seconds is not null) and exists (
        select
        from deliveries
        where lane_id = hook.id and organization_id = hook.organization_id and lease_until is null
      ) as has_unsendable
    from deployment_hooks as hook
    where hook.id = ${id}
      and hook.organization_id = ${organization_id}
      and ${isActiveOrganization(sql`hook.organization_id`)}
  `
  if (!hook) throw notFound('hook')
  // The token may have been replaced while the caller waited.
  if (token !== null && !(hook.pull_token_hash && Buffer.from(pullTokenHash(token)).equals(hook.pull_token_hash)))
    throw unauthenticated(NO_PULL)
  if (hook.mode !== 'pull') throw notAPullHook()
  return hook
}

/** A hook whose dispatches can be claimed. Its keys are decrypted before anything is leased. */
interface ReadyHook extends SigningHook, Pick<PulledHook, 'only_tests' | 'max_age_seconds'> {}

/**
 * Prepares a claim: ends leases that have run out, and cancels what must not be claimed any more.
 *
 * @throws Problem `not_a_pull_hook`; `unauthenticated` if the token was replaced; `not_found`
 */
export async function prepareClaim(hook: ResourceKey, token: string | null): Promise<ReadyHook> {
  const { signature, secret, previous_secret, has_expired, has_unsendable, only_tests, max_age_seconds } = await readHook(
    hook,
    token,
  )
  const secrets = await Promise.all([secret, previous_secret].filter((each) => each !== null).map(decrypt))
  if (has_expired) await transaction((tx) => expireLeases(tx, hook))
  if (has_unsendable) await cancelUnsendable(sql, [hook.organization_id], [hook.id])
  return { sign: signerOf(signature, secrets), headers: {}, only_tests, max_age_seconds }
}

interface Leased {
  id: string
  lease_until: string
}

/** Leases due dispatches, the oldest due first. Concurrent claims skip the rows of one another. */
function takeDue(
  tx: Tx,
  { id, organization_id }: ResourceKey,
  { only_tests, max_age_seconds }: ReadyHook,
  { limit = 1, lease_seconds = 60 }: ClaimInput,
) {
  return tx<Leased[]>`
    with due as materialized (
      select delivery.id, delivery.due_at
      from deliveries as delivery
      join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = delivery.organization_id
      where delivery.lane_id = ${id}
        and delivery.organization_id = ${organization_id}
        and delivery.due_at <= now()
        and delivery.lease_until is null
        and not delivery.cancel_requested
        and (
          delivery.is_test
          or not ${only_tests}
            and (${max_age_seconds}::integer is null or dispatch.created_at > now() - ${max_age_seconds}::integer * interval '1 second')
        )
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
      where delivery.id = due.id
        and delivery.organization_id = ${organization_id}
      returning delivery.id, delivery.lease_until, due.due_at as was_due_at
    )
    select id, lease_until from leased order by was_due_at, id
  `
}

interface Body extends Omit<SignedDispatch, 'body' | 'attempt_count' | 'event' | 'sequence'> {
  traceparent: string | null
  body: string
  encrypted_body: Uint8Array | null
}

/** Claims due dispatches: leases them to the caller, and signs them. */
export async function claim(tx: Tx, hook: ResourceKey, ready: ReadyHook, input: ClaimInput): Promise<Claimed[]> {
  const leased = await takeDue(tx, hook, ready, input)
  if (leased.length === 0) return []
  const ids = leased.map(({ id }) => id)
  const dispatches = await getDispatches(tx, hook.organization_id, ids)
  const bodies = await tx<Body[]>`
    select dispatch.id, dispatch.redelivery_of, dispatch.report_within_seconds, dispatch.traceparent, body.body, body.encrypted_body
    from dispatches as dispatch
    join dispatch_bodies as body on body.dispatch_id = dispatch.id and body.organization_id = dispatch.organization_id
    where dispatch.id = any(${ids}::uuid[])
      and dispatch.organization_id = ${hook.organization_id}
    order by array_position(${ids}::uuid[], dispatch.id)
  `
  const [{ timestamp }] = await tx<[{ timestamp: number }]>`select floor(extract(epoch from now()))::integer as timestamp`
  return Promise.all(
    dispatches.map(async (dispatch, index) => {
      const { encrypted_body, traceparent, ...about } = bodies[index] as Body
      const payload = encrypted_body ? (await decryptBody(encrypted_body)).body : about.body
      const { event, sequence, attempt_count } = dispatch
      const signed = { ...about, event, sequence, attempt_count, body: payload }
      return {
        dispatch,
        payload,
        headers: requestHeaders(ready, signed, timestamp, traceparent),
        lease_until: leased[index]?.lease_until ?? '',
      }
    }),
  )
}
