/** Redeliveries of one dispatch, or of all unsuccessful ones. */
import { lockLanes } from '../../core/delivery/lanes.ts'
import { redeliveryRefusal } from '../../core/dispatches/approval.ts'
import { MAX_ATTEMPTS } from '../../core/dispatches/attempts.ts'
import { decryptBody, mayBeSentTo } from '../../core/dispatches/bodies.ts'
import { APPROVAL_REVOKED, LACKS_APPROVAL, NOT_PROMOTED } from '../../core/dispatches/errors.ts'
import { record } from '../../core/security/audit.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import { getHook, recordHook } from '../deployment-hooks/hooks.ts'
import { wakeDestination } from '../lanes/lanes.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type Resource, type ResourceKey, resourceKey } from '../plugins/resources.ts'
import { invalidField, Problem } from '../problems.ts'
import { getDispatch } from './dispatches.ts'
import { nothingToSend, redeliveryProblem, lacksApproval as withoutApproval } from './pending.ts'
import type { Dispatch, Recovered, RecoverInput } from './schema.ts'
import { approvalRequired, mayOverride, requireEnabled } from './triggers.ts'

/** Maximum per call; another call continues. */
const MAX_REDELIVERIES = 10_000

/**
 * Inserts redeliveries in the order of the originals. The hook's lane is locked.
 * @param dispatch_ids of the hook, in this order
 * @param overrides whether the caller may override; otherwise freezes hold back what another person overrode
 * @returns the ids of the new dispatches
 */
async function insertRedeliveries(
  tx: Tx,
  by: Caller,
  { organization_id }: Pick<Scope, 'organization_id'>,
  dispatch_ids: string[],
  overrides: boolean,
): Promise<string[]> {
  const ids = dispatch_ids.map(() => Bun.randomUUIDv7())
  await tx`
    select redeliver_dispatches(
      ${organization_id}, ${ids}::uuid[], ${dispatch_ids}::uuid[], ${MAX_ATTEMPTS}, ${overrides}, ${by.id}, ${by.request_id},
      ${by.traceparent}
    )
  `
  return ids
}

/** @throws Problem `invalid_transition` if there is no body, or it contains template secrets of another receiver: it would not be sent */
async function requireSendable(tx: Tx, { id, organization_id }: ResourceKey<'dispatch'>, url: string | null): Promise<void> {
  const [body] = await tx<{ encrypted_body: Uint8Array | null; is_kept: boolean }[]>`
    select encrypted_body, body is not null as is_kept
    from dispatches
    where id = ${id} and organization_id = ${organization_id}
  `
  if (!body?.is_kept) throw nothingToSend()
  if (!body.encrypted_body || url === null) return
  const { origin } = await decryptBody(body.encrypted_body)
  if (mayBeSentTo(origin, url)) return
  const detail =
    'The dispatch cannot be redelivered: its body contains template secrets that were stored for the former url of the hook, which had another scheme, host or port. Trigger the hook, which makes a new body, or set the url to the former scheme, host and port.'
  throw new Problem('invalid_transition', detail)
}

/**
 * Requires an approval that holds, if the dispatch comes from one or the environment of the hook requires one by now. The lane is
 * locked: a revocation locks the lanes of all dispatches of its gate, so that it finds what is redelivered before it.
 * @throws Problem `approval_required`
 */
async function requireApproval(
  tx: Tx,
  { id, organization_id }: ResourceKey<'dispatch'>,
  environment: string,
  overrides: boolean,
): Promise<void> {
  const [found] = await tx<{ refusal: string | null }[]>`
    select ${redeliveryRefusal(overrides)} as refusal
    from dispatches as dispatch
    join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
    where dispatch.id = ${id} and dispatch.organization_id = ${organization_id}
  `
  if (found?.refusal === APPROVAL_REVOKED.code || found?.refusal === NOT_PROMOTED.code) throw withoutApproval()
  if (found?.refusal) throw approvalRequired(environment)
}

/** Redelivers a finished dispatch as a new one with the same payload and sequence. */
export async function redeliver(tx: Tx, by: Caller, dispatch: Resource<'dispatch'>): Promise<Dispatch> {
  const original = await getDispatch(tx, dispatch)
  const hook = await getHook(tx, resourceKey('hook', original.hook_id, dispatch))
  await lockLanes(tx, [dispatch.organization_id], [hook.id])
  const { status, error } = await getDispatch(tx, dispatch)
  const problem = redeliveryProblem({ status, error }, hook)
  if (problem) throw problem
  const overrides = await mayOverride(tx, by, dispatch.organization_id)
  await requireApproval(tx, dispatch, hook.environment, overrides)
  await requireSendable(tx, dispatch, hook.url)
  const [redelivery_id = ''] = await insertRedeliveries(tx, by, dispatch, [dispatch.id], overrides)
  const detail = `${by.name} redelivered a ${original.event} to the deployment hook ${hook.name}.`
  await record(tx, by, dispatch, { action: 'dispatch.redelivered', resource_type: 'dispatch', resource_id: dispatch.id, detail })
  await wakeDestination(tx, dispatch.organization_id, hook.id)
  return getDispatch(tx, resourceKey('dispatch', redelivery_id, dispatch))
}

/**
 * The newest unsuccessful dispatch of each body, oldest first. Bodies that are pending again, or were delivered by a later
 * dispatch, are left out, and dispatches without a body, since it was too large, or without an approval that holds.
 */
async function findUnsuccessful(
  tx: Tx,
  { id, organization_id }: ResourceKey<'hook'>,
  { since, until = null }: RecoverInput,
  overrides: boolean,
): Promise<string[]> {
  const found = await tx<{ id: string }[]>`
    select dispatch.id
    from (
      select distinct on (first_id) id, first_id, created_at
      from unsuccessful_deliveries
      where lane_id = ${id}
        and organization_id = ${organization_id}
        and event <> 'test.ping'
        and created_at >= ${since}::timestamptz
        and (${until}::timestamptz is null or created_at < ${until}::timestamptz)
      order by first_id, created_at desc, id desc
    ) as newest
    join dispatches as dispatch on dispatch.id = newest.id and dispatch.organization_id = ${organization_id}
    join deployment_hooks as hook on hook.id = ${id} and hook.organization_id = ${organization_id}
    where dispatch.error ->> 'code' <> all(${LACKS_APPROVAL})
    and not exists (
      select 1
      from dispatches as first
      where first.id = newest.first_id
        and first.organization_id = ${organization_id}
        and (first.status = 'pending' or first.status = 'succeeded' and first.completed_at >= newest.created_at)
    )
    and not exists (
      select 1
      from dispatches as other
      where other.redelivery_of = newest.first_id
        and other.organization_id = ${organization_id}
        and (other.status = 'pending' or other.status = 'succeeded' and other.completed_at >= newest.created_at)
    )
    and dispatch.body is not null
    and ${redeliveryRefusal(overrides)} is null
    order by newest.created_at, newest.id
    limit ${MAX_REDELIVERIES}
  `
  return found.map((each) => each.id)
}

/** Redelivers the unsuccessful dispatches of a period. The lane is locked, so concurrent calls do not duplicate them. */
export async function recover(tx: Tx, by: Caller, hook: Resource<'hook'>, input: RecoverInput): Promise<Recovered> {
  if (input.until != null && Date.parse(input.until) < Date.parse(input.since))
    throw invalidField('/until', 'before_since', 'must not be earlier than since')
  const shown = await getHook(tx, hook)
  requireEnabled(shown)
  await lockLanes(tx, [hook.organization_id], [shown.id])
  const overrides = await mayOverride(tx, by, hook.organization_id)
  const found = await findUnsuccessful(tx, hook, input, overrides)
  if (input.dry_run) return { redelivered: found.length }
  await insertRedeliveries(tx, by, hook, found, overrides)
  const detail = `${by.name} redelivered ${found.length} dispatches of the deployment hook ${shown.name}.`
  await recordHook(tx, by, hook, 'recovered', shown.id, detail)
  if (found.length > 0) await wakeDestination(tx, hook.organization_id, shown.id)
  return { redelivered: found.length }
}
