/**
 * Waiting claims. A new dispatch wakes one claim of its hook, and each claim that gets something wakes the next, so that many waiting
 * claims cost no more than those that are answered.
 */

import { monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { CLAIM } from '../../core/tenants/changes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { pendingIn, Waits } from '../plugins/waiting.ts'

/** SQL: whether a delivery of the hook can be claimed now. */
const isSomethingDue = sql`
  exists (
    select
    from deliveries as delivery
    where delivery.lane_id = waited.id
      and delivery.organization_id = waited.organization_id
      and delivery.due_at <= now()
      and (waited.enabled and not waited.paused or delivery.is_test)
  )
`

/** By hook. A claim has an answer if there is something to claim, or the hook is gone. */
const claims = new Waits(pendingIn(sql`deployment_hooks`, sql`not ${isSomethingDue}`), {
  wakesOne: true,
  endsEarly: true,
  announcedBy: CLAIM,
})

/** Whether a claim of a hook has an answer. */
export const hasAnswer = async ({ id, organization_id }: ResourceKey<'hook'>): Promise<boolean> =>
  (await claims.findPending([id], [organization_id])).length === 0

/**
 * Tries something now, and again whenever a dispatch of the hook may be due, until it is done.
 * @param until when to give up, on the monotonic clock; it is tried once in any case
 * @returns the result of the last try
 */
export async function whenDue<Result>(
  hook: ResourceKey<'hook'>,
  until: number,
  signal: AbortSignal,
  attempt: () => Promise<Result>,
  isDone: (result: Result) => boolean | Promise<boolean>,
): Promise<Result> {
  for (;;) {
    // Listening begins before the attempt, so that nothing is missed in between.
    const stop = new AbortController()
    const left = Math.max(0, until - monotonicMs())
    const due = claims.wait(hook, left, AbortSignal.any([signal, stop.signal]))
    let result: Result
    try {
      result = await attempt()
    } catch (error) {
      stop.abort()
      // Others may be refused as well, such as all claims of a deleted hook.
      claims.wake(hook.id)
      throw error
    }
    if (await isDone(result)) {
      stop.abort()
      // There may be more.
      claims.wake(hook.id)
      return result
    }
    if (await due) continue
    // Once more after a wait: the caller may have lost their access. Not for a client that is gone, to which nothing can be leased.
    return left === 0 || claims.hasEnded || signal.aborted ? result : attempt()
  }
}
