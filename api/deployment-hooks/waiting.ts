/** What can be done to a dispatch that waits. */

import { CANCELLED } from '../../core/deployment-hooks.ts'
import { lockLanes, wakeLane } from '../../core/lanes.ts'
import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import type { Caller, LocatedInProject } from '../plugins/request-context.ts'
import { invalidTransition, notFound, Problem } from '../problems.ts'
import { getDispatch } from './dispatches.ts'
import type { Dispatch } from './schema.ts'
import { requireEnabled } from './triggers.ts'

interface Waiting {
  hook_id: string
  hook_name: string
  enabled: boolean
  paused: boolean
  event: string
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled'
  cancel_requested: boolean
  /** Whether a worker serves its lane, and may have it in flight. */
  served: boolean
}

/**
 * A dispatch whose lane is locked, so that no worker begins to serve it before the commit, and whose row of the queue is locked
 * if it waits: before anything of the dispatch itself, as by the worker that records an attempt.
 */
async function held(tx: Tx, place: LocatedInProject): Promise<Waiting> {
  const { hook_id } = await getDispatch(tx, place)
  const [lane] = await lockLanes(tx, [place.organization_id], [hook_id])
  await tx`select from deliveries where id = ${place.id} and organization_id = ${place.organization_id} for update`
  const [dispatch] = await tx<Waiting[]>`
    select
      dispatch.hook_id, hook.name as hook_name, hook.enabled, hook.paused, dispatch.event, dispatch.status,
      coalesce(delivery.cancel_requested, false) as cancel_requested, ${lane?.owner_id ?? null}::uuid is not null as served
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

/** Tries a waiting dispatch now. One that is under way is being tried. */
export async function retry(tx: Tx, by: Caller, place: LocatedInProject): Promise<Dispatch> {
  const { hook_id, hook_name: name, enabled, paused, event, status, cancel_requested } = await held(tx, place)
  if (status !== 'pending') throw invalidTransition('dispatch', status, 'retried')
  if (cancel_requested) throw new Problem('invalid_transition', 'A dispatch that is being cancelled cannot become retried.')
  if (event !== 'test.ping') {
    requireEnabled({ enabled, name })
    if (paused) throw new Problem('hook_paused', `The hook ${name} is paused: PUT paused=false lets all go that waits.`)
  }
  await tx`update deliveries set due_at = now() where id = ${place.id} and organization_id = ${place.organization_id}`
  await record(tx, by, place, {
    action: 'dispatch.retried',
    resource_type: 'dispatch',
    resource_id: place.id,
    detail: `${by.name} had a ${event} of the deployment hook ${name} tried at once.`,
  })
  await wakeLane(tx, place.organization_id, hook_id)
  return getDispatch(tx, place)
}

/**
 * Cancels a dispatch. While its lane is served it may be in flight, so it is marked, and whoever serves the lane
 * ends it: at once where it waits, after its failure where it is under way. A success is what it is.
 */
export async function cancel(tx: Tx, by: Caller, place: LocatedInProject): Promise<Dispatch> {
  const { hook_id, hook_name, event, status, cancel_requested, served } = await held(tx, place)
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
