/** Retrying and cancelling pending dispatches, and what can be done with one by its state: pages ask before they offer an action. */
import { lockLanes } from '../../core/delivery/lanes.ts'
import { CANCELLED, LACKS_APPROVAL, PAYLOAD_TOO_LARGE } from '../../core/dispatches/errors.ts'
import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { wakeDestination } from '../lanes/lanes.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { invalidTransition, notFound, Problem } from '../problems.ts'
import { getDispatch } from './dispatches.ts'
import type { Dispatch } from './schema.ts'

type HookState = { name: string; enabled: boolean; paused: boolean }

interface DispatchState extends Pick<Dispatch, 'event' | 'status'> {
  held_until: string | null
  /** A worker was asked to cancel it, and has not done so yet. */
  cancel_requested: boolean
}

/** Why a hook sends nothing but tests; null if it is enabled. */
export function disabledProblem({ enabled, name }: Pick<HookState, 'enabled' | 'name'>): Problem | null {
  if (enabled) return null
  const detail = `The hook ${name} is disabled. Set enabled to true first; only tests are sent while it is disabled.`
  return new Problem('hook_disabled', detail)
}

/** The problem of sending again what lacks an approval that holds. */
export const lacksApproval = (): Problem =>
  new Problem(
    'approval_required',
    'The dispatch has no valid approval and cannot be redelivered. Have a gate approved for the environment, which makes a new dispatch; or trigger the hook with an override, as an admin of the organization.',
  )

export const nothingToSend = (): Problem =>
  new Problem(
    'invalid_transition',
    'The dispatch has failed and cannot be redelivered: its body was too large, so there is nothing to send. Make body_template smaller, then trigger the hook.',
  )

export function redeliveryProblem(
  { status, error }: Pick<Dispatch, 'status' | 'error'>,
  hook: Pick<HookState, 'enabled' | 'name'>,
): Problem | null {
  if (status === 'pending') return invalidTransition('dispatch', status, 'redelivered')
  if (error?.code === PAYLOAD_TOO_LARGE.code) return nothingToSend()
  if (LACKS_APPROVAL.includes(error?.code ?? '')) return lacksApproval()
  return disabledProblem(hook)
}

export function retryProblem({ event, status, held_until, cancel_requested }: DispatchState, hook: HookState): Problem | null {
  if (status !== 'pending') return invalidTransition('dispatch', status, 'retried')
  if (cancel_requested) return new Problem('invalid_transition', 'The dispatch is being cancelled and cannot be retried.')
  if (event === 'test.ping') return null
  if (hook.enabled && hook.paused)
    return new Problem('hook_paused', `The hook ${hook.name} is paused. Set paused to false to send all pending dispatches.`)
  if (hook.enabled && held_until !== null)
    return new Problem(
      'environment_frozen',
      `A freeze of the environment, or the soak in the environment before, holds the dispatch back until ${held_until}. Change the policy of the environment to send it before; an override of a gate, and a manual trigger, are sent in a freeze.`,
    )
  return disabledProblem(hook)
}

export const cancelProblem = ({ status }: Pick<Dispatch, 'status'>): Problem | null =>
  status === 'pending' ? null : invalidTransition('dispatch', status, 'cancelled')

/** How long to wait for a cancellation, in seconds: the worker that serves the lane cancels at once, unless the dispatch is in flight. */
export const MAX_CANCEL_SECONDS = 1

interface LockedDispatch extends DispatchState, Pick<HookState, 'enabled' | 'paused'> {
  hook_id: string
  hook_name: string
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
    join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
    left join deliveries as delivery on delivery.id = dispatch.id and delivery.organization_id = dispatch.organization_id
    where dispatch.id = ${dispatch.id} and dispatch.organization_id = ${dispatch.organization_id}
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
  const detail = `${by.name} retried a ${event} of the deployment hook ${name}.`
  await record(tx, by, dispatch, { action: 'dispatch.retried', resource_type: 'dispatch', resource_id: dispatch.id, detail })
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
      where id = ${dispatch.id} and organization_id = ${dispatch.organization_id}
    `
  } else {
    await tx`
      with cancelled as (
        delete from deliveries
        where id = ${dispatch.id} and organization_id = ${dispatch.organization_id}
        returning id, attempt_count
      )
      update dispatches as dispatch
      set status        = 'cancelled',
          attempt_count = cancelled.attempt_count,
          completed_at  = now(),
          error         = ${tx.json(CANCELLED)}
      from cancelled
      where dispatch.id = cancelled.id and dispatch.organization_id = ${dispatch.organization_id}
    `
  }
  const detail = `${by.name} cancelled a ${event} of the deployment hook ${hook_name}.`
  await record(tx, by, dispatch, { action: 'dispatch.cancelled', resource_type: 'dispatch', resource_id: dispatch.id, detail })
  if (served) await wakeDestination(tx, dispatch.organization_id, hook_id)
  return getDispatch(tx, dispatch)
}
