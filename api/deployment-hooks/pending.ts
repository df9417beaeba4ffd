/** Retrying and cancelling pending dispatches. */

import { lockLanes } from '../../core/delivery/lanes.ts'
import { CANCELLED } from '../../core/dispatches/errors.ts'
import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { wakeDestination } from '../lanes.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { getDispatch } from './dispatches.ts'
import type { Dispatch } from './schema.ts'
import { cancelProblem, retryProblem } from './transitions.ts'

/** How long to wait for a cancellation, in seconds: the worker that serves the lane cancels at once, unless the dispatch is in flight. */
export const MAX_CANCEL_SECONDS = 1

interface LockedDispatch {
  hook_id: string
  hook_name: string
  enabled: boolean
  paused: boolean
  event: Dispatch['event']
  status: Dispatch['status']
  held_until: string | null
  cancel_requested: boolean
  /** Whether a worker serves its lane, or it is leased, so that it may be in flight. */
  served: boolean
}

/**
 * Locks the lane of a dispatch, so that no worker starts to serve it before commit, then its row of the queue. Workers that
 * record an attempt lock in the same order.
 */
async function lockPending(tx: Tx, dispatch: Resource<'dispatch'>): Promise<LockedDispatch> {
  const { hook_id } = await getDispatch(tx, dispatch)
  const [lane] = await lockLanes(tx, [dispatch.organization_id], [hook_id])
  await tx`select from deliveries where id = ${dispatch.id} and organization_id = ${dispatch.organization_id} for update`
  const [locked] = await tx<LockedDispatch[]>`
    select
      dispatch.hook_id, hook.name as hook_name, hook.enabled, hook.paused, dispatch.event, dispatch.status,
      case when delivery.held_until > now() then delivery.held_until end as held_until,
      coalesce(delivery.cancel_requested, false) as cancel_requested,
      ${lane?.owner_id ?? null}::uuid is not null or delivery.lease_until is not null as served
    from dispatches as dispatch
    join deployment_hooks as hook
      on hook.id = dispatch.hook_id
      and hook.organization_id = dispatch.organization_id
    left join deliveries as delivery
      on delivery.id = dispatch.id
      and delivery.organization_id = dispatch.organization_id
    where dispatch.id = ${dispatch.id}
      and dispatch.organization_id = ${dispatch.organization_id}
  `
  if (!locked) throw notFound('dispatch')
  return locked
}

/** Makes a pending dispatch due now. Has no effect on one in flight. */
export async function retry(tx: Tx, by: Caller, dispatch: Resource<'dispatch'>): Promise<Dispatch> {
  const { hook_id, hook_name: name, enabled, paused, ...state } = await lockPending(tx, dispatch)
  const { event } = state
  const problem = retryProblem(state, { name, enabled, paused })
  if (problem) throw problem
  await tx`
    update deliveries
    set due_at = now()
    where id = ${dispatch.id}
      and organization_id = ${dispatch.organization_id}
      and lease_until is null
  `
  await record(tx, by, dispatch, {
    action: 'dispatch.retried',
    resource_type: 'dispatch',
    resource_id: dispatch.id,
    detail: `${by.name} retried a ${event} of the deployment hook ${name}.`,
  })
  await wakeDestination(tx, dispatch.organization_id, hook_id)
  return getDispatch(tx, dispatch)
}

/**
 * Cancels a dispatch. While its lane is served it may be in flight, so it is only marked; the worker cancels it at once if
 * it waits, or after the attempt in flight if that fails.
 */
export async function cancel(tx: Tx, by: Caller, dispatch: Resource<'dispatch'>): Promise<Dispatch> {
  const { hook_id, hook_name, event, status, cancel_requested, served } = await lockPending(tx, dispatch)
  const problem = cancelProblem({ status })
  if (problem) throw problem
  if (cancel_requested) return getDispatch(tx, dispatch)
  if (served) {
    await tx`
      update deliveries
      set cancel_requested = true
      where id = ${dispatch.id}
        and organization_id = ${dispatch.organization_id}
    `
  } else {
    await tx`
      with cancelled as (
        delete from deliveries
        where id = ${dispatch.id}
          and organization_id = ${dispatch.organization_id}
        returning id, attempt_count
      )
      update dispatches as dispatch
      set status        = 'cancelled',
          attempt_count = cancelled.attempt_count,
          completed_at  = now(),
          error         = ${tx.json(CANCELLED)}
      from cancelled
      where dispatch.id = cancelled.id
        and dispatch.organization_id = ${dispatch.organization_id}
    `
  }
  await record(tx, by, dispatch, {
    action: 'dispatch.cancelled',
    resource_type: 'dispatch',
    resource_id: dispatch.id,
    detail: `${by.name} cancelled a ${event} of the deployment hook ${hook_name}.`,
  })
  if (served) await wakeDestination(tx, dispatch.organization_id, hook_id)
  return getDispatch(tx, dispatch)
}
