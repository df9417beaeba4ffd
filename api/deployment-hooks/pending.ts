/** Retrying and cancelling pending dispatches. */

import { CANCELLED } from '../../core/deployment-hooks.ts'
import { lockLanes } from '../../core/lanes.ts'
import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { wakeLane } from '../lanes.ts'
import type { Caller, ProjectResource } from '../plugins/request-context.ts'
import { invalidTransition, notFound, Problem } from '../problems.ts'
import { getDispatch } from './dispatches.ts'
import type { Dispatch } from './schema.ts'
import { requireEnabled } from './triggers.ts'

interface LockedDispatch {
  hook_id: string
  hook_name: string
  enabled: boolean
  paused: boolean
  event: string
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled'
  cancel_requested: boolean
  /** Whether a worker serves its lane, or it is leased, so that it may be in flight. */
  served: boolean
}

/**
 * Locks the lane of a dispatch, so that no worker starts to serve it before commit, then its row of the queue. Workers that
 * record an attempt lock in the same order.
 */
async function lockPending(tx: Tx, place: ProjectResource): Promise<LockedDispatch> {
  const { hook_id } = await getDispatch(tx, place)
  const [lane] = await lockLanes(tx, [place.organization_id], [hook_id])
  await tx`select from deliveries where id = ${place.id} and organization_id = ${place.organization_id} for update`
  const [dispatch] = await tx<LockedDispatch[]>`
    select
      dispatch.hook_id, hook.name as hook_name, hook.enabled, hook.paused, dispatch.event, dispatch.status,
      coalesce(delivery.cancel_requested, false) as cancel_requested, ${lane?.owner_id ?? null}::uuid is not null or delivery.lease_until is not null as served
    from dispatches as dispatch
    join deployment_hooks as hook
      on hook.id = dispatch.hook_id
      and hook.organization_id = dispatch.organization_id
    left join deliveries as delivery
      on delivery.id = dispatch.id
      and delivery.organization_id = dispatch.organization_id
    where dispatch.id = ${place.id}
      and dispatch.organization_id = ${place.organization_id}
  `
  if (!dispatch) throw notFound('dispatch')
  return dispatch
}

/** Makes a pending dispatch due now. Has no effect on one in flight. */
export async function retry(tx: Tx, by: Caller, place: ProjectResource): Promise<Dispatch> {
  const { hook_id, hook_name: name, enabled, paused, event, status, cancel_requested } = await lockPending(tx, place)
  if (status !== 'pending') throw invalidTransition('dispatch', status, 'retried')
  if (cancel_requested) throw new Problem('invalid_transition', 'The dispatch is being cancelled and cannot be retried.')
  if (event !== 'test.ping') {
    requireEnabled({ enabled, name })
    if (paused)
      throw new Problem('hook_paused', `The hook ${name} is paused. Set paused to false to send all pending dispatches.`)
  }
  await tx`
    update deliveries
    set due_at = now()
    where id = ${place.id}
      and organization_id = ${place.organization_id}
      and lease_until is null
  `
  await record(tx, by, place, {
    action: 'dispatch.retried',
    resource_type: 'dispatch',
    resource_id: place.id,
    detail: `${by.name} retried a ${event} of the deployment hook ${name}.`,
  })
  await wakeLane(tx, place.organization_id, hook_id)
  return getDispatch(tx, place)
}

/**
 * Cancels a dispatch. While its lane is served it may be in flight, so it is only marked; the worker cancels it at once if
 * it waits, or after the attempt in flight if that fails.
 */
export async function cancel(tx: Tx, by: Caller, place: ProjectResource): Promise<Dispatch> {
  const { hook_id, hook_name, event, status, cancel_requested, served } = await lockPending(tx, place)
  if (status !== 'pending') throw invalidTransition('dispatch', status, 'cancelled')
  if (cancel_requested) return getDispatch(tx, place)
  if (served) {
    await tx`update deliveries set cancel_requested = true where id = ${place.id} and organization_id = ${place.organization_id}`
  } else {
    await tx`
      with cancelled as (
        delete from deliveries
        where id = ${place.id}
          and organization_id = ${place.organization_id}
        returning id, organization_id, attempt_count
      )
      update dispatches as dispatch
      set status        = 'cancelled',
          attempt_count = cancelled.attempt_count,
          completed_at  = now(),
          error         = ${tx.json(CANCELLED)}
      from cancelled
      where dispatch.id = cancelled.id
        and dispatch.organization_id = cancelled.organization_id
    `
  }
  await record(tx, by, place, {
    action: 'dispatch.cancelled',
    resource_type: 'dispatch',
    resource_id: place.id,
    detail: `${by.name} cancelled a ${event} of the deployment hook ${hook_name}.`,
  })
  if (served) await wakeLane(tx, place.organization_id, hook_id)
  return getDispatch(tx, place)
}
