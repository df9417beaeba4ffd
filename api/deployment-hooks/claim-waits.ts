/**
 * Waiting claims. All waiting claims of this process share one LISTEN. A new dispatch wakes one claim of its hook, and each claim that gets something
 * wakes the next, so that many waiting claims cost no more than those that are answered.
 */
import { CLAIMS_CHANNEL } from '../../core/jobs/claims.ts'
import { listener, sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'

/** How often it is checked whether something became due: a retry, the end of a lease, or work whose NOTIFY was lost. */
const CHECK_MS = 500

type Wake = () => void

/** In the order in which they came. */
const waits = new Map<string, Set<Wake>>()
let ending = false

/** Wakes the claim of a hook that has waited longest. */
export function wakeNext(hook_id: string): void {
  const [first] = waits.get(hook_id) ?? []
  first?.()
}

/**
 * Waits until a dispatch of a hook may be due.
 *
 * @param ms how long at most
 * @returns whether to look: false after that time, when the client is gone, or while the process shuts down
 */
export function waitForDue(hook_id: string, ms: number, signal: AbortSignal): Promise<boolean> {
  if (ending || signal.aborted) return Promise.resolve(false)
  listen()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const others = waits.get(hook_id) ?? new Set<Wake>()
  waits.set(hook_id, others)
  const end = (isDue: boolean) => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    others.delete(wake)
    if (others.size === 0 && waits.get(hook_id) === others) waits.delete(hook_id)
    resolve(isDue)
  }
  const wake = () => end(!ending)
  const abort = () => end(false)
  const timer = setTimeout(() => end(false), ms)
  signal.addEventListener('abort', abort)
  others.add(wake)
  return promise
}

let checking = false

async function check(): Promise<void> {
  if (checking || waits.size === 0) return
  checking = true
  try {
    listen()
    const due = await sql<{ id: string }[]>`
      select hook.id
      from deployment_hooks as hook
      where hook.id = any(${[...waits.keys()]}::uuid[])
        and exists (
          select
          from deliveries as delivery
          where delivery.lane_id = hook.id
            and delivery.organization_id = hook.organization_id
            and delivery.due_at <= now()
            and (hook.enabled and not hook.paused or delivery.is_test)
        )
    `
    for (const { id } of due) wakeNext(id)
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
  const changed = (ids: string) => {
    for (const id of ids.split(' ')) wakeNext(id)
  }
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
  for (const hook_id of [...waits.keys()]) for (const wake of [...(waits.get(hook_id) ?? [])]) wake()
}
