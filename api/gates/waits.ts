/**
 * Requests that wait for the decision of a gate. One statement looks at all gates that requests of this process wait for, so that a
 * thousand of them cost no more queries than one.
 */
import type { Gate } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { confirmAfterWait } from '../plugins/confirm-access.ts'
import { contextOf } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { preferredSeconds } from '../plugins/waiting.ts'
import { getGate } from './gates.ts'

/** A decision is noticed after this time at the latest. */
const CHECK_MS = 400
/** Gates per statement. */
const BATCH_SIZE = 1_000

interface Waiters {
  organization_id: string
  wakes: Set<() => void>
}

/** By gate. */
const waits = new Map<string, Waiters>()
let ending = false

/** Waits until a gate is no longer pending, for a time at most, or until the client is gone. */
function whenDecided({ id, organization_id }: ResourceKey<'gate'>, ms: number, signal: AbortSignal): Promise<void> {
  if (ending || signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiters = waits.get(id) ?? { organization_id, wakes: new Set() }
  waits.set(id, waiters)
  const wake = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', wake)
    waiters.wakes.delete(wake)
    if (waiters.wakes.size === 0 && waits.get(id) === waiters) waits.delete(id)
    resolve()
  }
  const timer = setTimeout(wake, ms)
  signal.addEventListener('abort', wake)
  waiters.wakes.add(wake)
  return promise
}

function wakeAll(id: string): void {
  for (const wake of [...(waits.get(id)?.wakes ?? [])]) wake()
}

/** The gates that are pending, of some that requests wait for. Those that were deleted are not. */
async function findPending(batch: [string, Waiters][]): Promise<string[]> {
  const pending = await sql<{ id: string }[]>`
    select id
    from gates
    where id = any(${batch.map(([id]) => id)}::uuid[])
      and organization_id = any(${[...new Set(batch.map(([, { organization_id }]) => organization_id))]}::uuid[])
      and status = 'pending'
  `
  return pending.map(({ id }) => id)
}

let checking = false

async function check(): Promise<void> {
  if (checking || waits.size === 0) return
  checking = true
  try {
    const all = [...waits]
    for (let from = 0; from < all.length; from += BATCH_SIZE) {
      const batch = all.slice(from, from + BATCH_SIZE)
      const pending = new Set(await findPending(batch))
      for (const [id] of batch) if (!pending.has(id)) wakeAll(id)
    }
  } catch (error) {
    // The next check tries again.
    log.debug({ error }, 'could not check for decided gates')
  } finally {
    checking = false
  }
}

setInterval(() => void check(), CHECK_MS).unref()

/** Answers all requests that wait. Their callers ask again, another process. */
export function endGateWaits(): void {
  ending = true
  for (const id of [...waits.keys()]) wakeAll(id)
}

/**
 * A gate; once it is decided, if the client asks for that with `Prefer: wait`.
 * @throws Problem `not_found`; what `confirmAfterWait` throws
 */
export async function awaitGate(request: Request, key: ResourceKey<'gate'>): Promise<Gate> {
  const gate = await getGate(sql, key)
  const seconds = preferredSeconds(request)
  if (seconds === null || gate.status !== 'pending') return gate
  const context = contextOf(request)
  await whenDecided(key, seconds * 1000, request.signal)
  await confirmAfterWait(context)
  context.headers['Preference-Applied'] = `wait=${seconds}`
  return getGate(sql, key)
}
