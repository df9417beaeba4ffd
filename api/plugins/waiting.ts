/**
 * Requests that wait until something has finished. They poll, and everybody else's statements queue behind theirs: the more
 * requests wait, the less often each of them polls, and a caller can have only so many.
 */
import { monotonicMs } from '../../core/platform/clock.ts'
import { confirmAfterWait } from './confirm-access.ts'
import { contextOf } from './request-context.ts'

const POLL_INTERVAL_MS = 50
/** With many requests waiting, the process makes a poll this often on average. */
const MS_PER_POLL = 5
/** Of one caller. */
const MAX_WAITING = 50

/** The number of waiting requests by caller. */
const waiting = new Map<string, number>()
let total = 0

/** Runs a wait, unless its caller has too many. */
async function counted<Result>(caller: string, wait: () => Promise<Result>): Promise<Result | null> {
  const others = waiting.get(caller) ?? 0
  if (others >= MAX_WAITING) return null
  waiting.set(caller, others + 1)
  total += 1
  try {
    return await wait()
  } finally {
    total -= 1
    const left = (waiting.get(caller) ?? 1) - 1
    if (left === 0) waiting.delete(caller)
    else waiting.set(caller, left)
  }
}

/** Until the next poll of a request. Varied, so that requests that came together do not poll together. */
const pause = (): number => Math.max(POLL_INTERVAL_MS, total * MS_PER_POLL * (0.5 + Math.random()))

async function poll(until: number, signal: AbortSignal, readFinished: () => Promise<object | null>): Promise<object | null> {
  for (;;) {
    const finished = await readFinished()
    if (finished) return finished
    const left = until - monotonicMs()
    if (left <= 0 || signal.aborted) return null
    await Bun.sleep(Math.min(pause(), left))
  }
}

/**
 * Waits until a record is finished.
 *
 * @param readFinished reads the record; returns null until it is finished
 * @returns the finished record; null if it was not finished in time, or if 50 other requests of the caller wait already
 * @throws what `readFinished` throws, e.g. `not_found` for a deleted record; what `confirmAfterWait` throws
 */
export async function waitUntilFinished(
  request: Request,
  seconds: number,
  readFinished: () => Promise<object | null>,
): Promise<object | null> {
  const context = contextOf(request)
  const until = monotonicMs() + seconds * 1000
  const finished = await counted(context.caller?.id ?? context.address, () => poll(until, request.signal, readFinished))
  await confirmAfterWait(context)
  return finished
}
