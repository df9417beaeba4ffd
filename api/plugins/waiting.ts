/**
 * Requests that wait until something has finished, such as those with `Prefer: wait=N` (RFC 7240). They poll, and everybody else's statements queue behind theirs: the more
 * requests wait, the less often each of them polls. Callers have equal shares, so that those with many slow down only themselves.
 */
import { monotonicMs } from '../../core/platform/clock.ts'
import { confirmAfterWait } from './confirm-access.ts'
import { contextOf } from './request-context.ts'
import { respond, toOutcome } from './responses.ts'

const POLL_INTERVAL_MS = 50
/** With many requests waiting, the process makes a poll this often on average. */
const MS_PER_POLL = 5

const waiting = new Map<string, number>()

async function counted<Result>(caller: string, wait: () => Promise<Result>): Promise<Result> {
  waiting.set(caller, (waiting.get(caller) ?? 0) + 1)
  try {
    return await wait()
  } finally {
    const left = (waiting.get(caller) ?? 1) - 1
    if (left === 0) waiting.delete(caller)
    else waiting.set(caller, left)
  }
}

/** Until the next poll of a request. Varied, so that requests that came together do not poll together. */
const pause = (caller: string): number =>
  Math.max(POLL_INTERVAL_MS, MS_PER_POLL * waiting.size * (waiting.get(caller) ?? 1) * (0.5 + Math.random()))

async function poll(
  caller: string,
  until: number,
  signal: AbortSignal,
  readFinished: () => Promise<object | null>,
): Promise<object | null> {
  for (;;) {
    const finished = await readFinished()
    if (finished) return finished
    const left = until - monotonicMs()
    if (left <= 0 || signal.aborted) return null
    await Bun.sleep(Math.min(pause(caller), left))
  }
}

/** @param readFinished returns null until the record is finished @throws what it throws; what `confirmAfterWait` throws */
export async function waitUntilFinished(request: Request, seconds: number, readFinished: () => Promise<object | null>) {
  const context = contextOf(request)
  const until = monotonicMs() + seconds * 1000
  const caller = context.caller?.id ?? context.address
  const finished = await counted(caller, () => poll(caller, until, request.signal, readFinished))
  await confirmAfterWait(context)
  return finished
}

/** The longest wait that a client can ask for: proxies commonly time out after 30 seconds. */
const MAX_SECONDS = 25

/** Seconds that the client asks to wait; null if the header is absent or malformed. */
export function preferredSeconds(request: Request): number | null {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;[^,]*)?(?:,|$)/i.exec(request.headers.get('prefer') ?? '') ?? []
  return seconds === undefined ? null : Math.min(Number(seconds), MAX_SECONDS)
}

/** Waits if the client asks for it with `Prefer: wait`. @returns 200 with the finished record, or `pending` */
export async function preferWait(request: Request, pending: Response, readFinished: () => Promise<object | null>) {
  const seconds = preferredSeconds(request)
  if (seconds === null || pending.status !== 202) return pending
  const finished = await waitUntilFinished(request, seconds, readFinished)
  if (!finished) return pending
  const context = contextOf(request)
  context.headers['Preference-Applied'] = `wait=${seconds}`
  return respond(request, context, toOutcome(200, finished))
}
