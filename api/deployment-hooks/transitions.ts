/** What can be done with a dispatch, by its state and that of its hook. Pure functions: pages ask before they offer an action. */
import { LACKS_APPROVAL, PAYLOAD_TOO_LARGE } from '../../core/dispatches/errors.ts'
import { invalidTransition, Problem } from '../problems.ts'
import type { Dispatch } from './schema.ts'

interface HookState {
  name: string
  enabled: boolean
  paused: boolean
}

interface DispatchState extends Pick<Dispatch, 'event' | 'status'> {
  held_until: string | null
  /** A worker was asked to cancel it, and has not done so yet. */
  cancel_requested: boolean
}

/** Why a hook sends nothing but tests; null if it is enabled. */
export function disabledProblem({ enabled, name }: Pick<HookState, 'enabled' | 'name'>): Problem | null {
  if (enabled) return null
  return new Problem(
    'hook_disabled',
    `The hook ${name} is disabled. Set enabled to true first; only tests are sent while it is disabled.`,
  )
}

/** The problem of sending again what lacks an approval that holds. */
export const lacksApproval = (): Problem =>
  new Problem(
    'approval_required',
    'The dispatch has no valid approval and cannot be redelivered. Have a gate approved for the environment, which makes a new dispatch; or trigger the hook with an override, as an admin of the organization.',
  )

/** Why a dispatch cannot be redelivered; null if it can. */
export function redeliveryProblem(
  { status, error }: Pick<Dispatch, 'status' | 'error'>,
  hook: Pick<HookState, 'enabled' | 'name'>,
): Problem | null {
  if (status === 'pending') return invalidTransition('dispatch', status, 'redelivered')
  if (error?.code === PAYLOAD_TOO_LARGE.code)
    return new Problem(
      'invalid_transition',
      'The dispatch has failed and cannot be redelivered: its body was too large, so there is nothing to send. Make body_template smaller, then trigger the hook.',
    )
  if (LACKS_APPROVAL.includes(error?.code ?? '')) return lacksApproval()
  return disabledProblem(hook)
}

/** Why a dispatch cannot be retried now; null if it can. */
export function retryProblem({ event, status, held_until, cancel_requested }: DispatchState, hook: HookState): Problem | null {
  if (status !== 'pending') return invalidTransition('dispatch', status, 'retried')
  if (cancel_requested) return new Problem('invalid_transition', 'The dispatch is being cancelled and cannot be retried.')
  if (event === 'test.ping') return null
  if (hook.enabled && hook.paused) {
    return new Problem('hook_paused', `The hook ${hook.name} is paused. Set paused to false to send all pending dispatches.`)
  }
  if (hook.enabled && held_until !== null)
    return new Problem(
      'environment_frozen',
      `A freeze of the environment holds the dispatch back until ${held_until}. Change the freezes in the policy of the environment to send it before; an override of a gate, and a manual trigger, are sent in a freeze.`,
    )
  return disabledProblem(hook)
}

/** Why a dispatch cannot be cancelled; null if it can. */
export const cancelProblem = ({ status }: Pick<Dispatch, 'status'>): Problem | null =>
  status === 'pending' ? null : invalidTransition('dispatch', status, 'cancelled')
