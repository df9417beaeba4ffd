/**
 * Waiting claims. All waiting claims of this process share one LISTEN. A new dispatch wakes one claim of its hook, and each claim
 * that gets something wakes the next, so that many waiting claims cost no more than those that are answered.
 */
import { CLAIMS_CHANNEL } from '../../core/dispatches/pull-leases.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { listener, sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { isActiveOrganization } from '../../core/scopes.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** How often it is checked whether something became due (a retry, the end of a lease, work whose NOTIFY was lost), or a hook is gone. */
const CHECK_MS = 500

type Wake = () => void

interface Waiters {
  organization_id: string
  /** In the order in which they came. */
  wakes: Set<Wake>
}

/** By hook. */
const waits = new Map<string, Waiters>()
let ending = false

/** Wakes the claim of a hook that has waited longest. */
function wakeNext(hook_id: string): void {
  const [first] = waits.get(hook_id)?.wakes ?? []
  first?.()
}

/**
 * Waits until a dispatch of a hook may be due.
 * @param ms how long at most
 * @returns whether to look: false after that time, when the client is gone, or while the process shuts down
 */
function waitForDue({ id, organization_id }: ResourceKey<'hook'>, ms: number, signal: AbortSignal): Promise<boolean> {
  if (ending || signal.aborted) return Promise.resolve(false)
  listen()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const waiters = waits.get(id) ?? { organization_id, wakes: new Set() }
  waits.set(id, waiters)
  const end = (isDue: boolean) => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    waiters.wakes.delete(wake)
    if (waiters.wakes.size === 0 && waits.get(id) === waiters) waits.delete(id)
    resolve(isDue)
  }
  const wake = () => end(!ending)
  const abort = () => end(false)
  const timer = setTimeout(() => end(false), ms)
  signal.addEventListener('abort', abort)
  waiters.wakes.add(wake)
  return promise
}

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
    const due = waitForDue(hook, left, AbortSignal.any([signal, stop.signal]))
    let result: Result
    try {
      result = await attempt()
    } catch (error) {
      stop.abort()
      // Others may be refused as well, such as all claims of a deleted hook.
      wakeNext(hook.id)
      throw error
    }
    if (await isDone(result)) {
      stop.abort()
      // There may be more.
      wakeNext(hook.id)
      return result
    }
    if (await due) continue
    // Once more after a wait: the caller may have lost their access. Not for a client that is gone, to which nothing can be leased.
    return left === 0 || ending || signal.aborted ? result : attempt()
  }
}

/** SQL: whether a delivery of `hook` can be claimed now. */
const isSomethingDue = sql`
  exists (
    select
    from deliveries as delivery
    where delivery.lane_id = hook.id
      and delivery.organization_id = hook.organization_id
      and delivery.due_at <= now()
      and (hook.enabled and not hook.paused or delivery.is_test)
  )
`

/** Whether a claim of a hook has an answer: there is something to claim, or the hook is gone. */
export async function hasAnswer({ id, organization_id }: ResourceKey<'hook'>): Promise<boolean> {
  const waiting = await sql`
    select
    from deployment_hooks as hook
    where hook.id = ${id}
      and hook.organization_id = ${organization_id}
      and ${isActiveOrganization(sql`${organization_id}`)}
      and not ${isSomethingDue}
  `
  return waiting.length === 0
}

/** The hooks whose claims have an answer, of those that claims wait for: what is due, and hooks that were deleted. */
async function findAnswered(): Promise<string[]> {
  const ids = [...waits.keys()]
  const organization_ids = [...new Set([...waits.values()].map(({ organization_id }) => organization_id))]
  const waiting = await sql<{ id: string }[]>`
    select hook.id
    from deployment_hooks as hook
    where hook.id = any(${ids}::uuid[])
      and hook.organization_id = any(${organization_ids}::uuid[])
      and ${isActiveOrganization(sql`hook.organization_id`)}
      and not ${isSomethingDue}
  `
  const unanswered = new Set(waiting.map(({ id }) => id))
  return ids.filter((id) => !unanswered.has(id))
}

let checking = false

async function check(): Promise<void> {
  if (checking || waits.size === 0) return
  checking = true
  try {
    listen()
    for (const id of await findAnswered()) wakeNext(id)
  } catch (error) {
    log.debug({ error }, 'could not check for due dispatches')
  } finally {
    checking = false
  }
}

setInterval(() => void check(), CHECK_MS).unref()

let listening = false

function listen(): void {
  if (listening) return
  listening = true
  const changed = (ids: string) => ids.split(' ').forEach(wakeNext)
  // Notifications sent while disconnected are lost.
  listener
    .listen(CLAIMS_CHANNEL, changed, () => void check())
    .catch((error: unknown) => {
      listening = false
      log.warn({ error }, 'LISTEN for claims failed; relying on the periodic check')
    })
}

/** Answers all waiting claims. Their callers connect again, to another process. */
export function endClaims(): void {
  ending = true
  for (const hook_id of [...waits.keys()]) for (const wake of [...(waits.get(hook_id)?.wakes ?? [])]) wake()
}
