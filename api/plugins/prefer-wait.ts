/** `Prefer: wait=N` (RFC 7240): an action that the worker does is answered when it is done, or after N seconds as it stands. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { answer, outcomeOf } from './answers.ts'
import { contextOf } from './request-context.ts'

/** Routers on the way give up after 30 seconds. */
const LONGEST_SECONDS = 25
const LOOK_EVERY_MS = 50

/** Seconds that the caller is ready to wait; null where none, or nothing that can be read. */
function preferredSeconds(request: Request): number | null {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;[^,]*)?(?:,|$)/i.exec(request.headers.get('prefer') ?? '') ?? []
  return seconds === undefined ? null : Math.min(Number(seconds), LONGEST_SECONDS)
}

/**
 * Looks at a record until it is finished, for so many seconds; null where it is not by then.
 *
 * @throws Problem what `look` throws: a record that is gone is not waited for
 */
export async function finishedWithin(
  request: Request,
  seconds: number,
  look: () => Promise<object | null>,
): Promise<object | null> {
  const until = monotonicMs() + seconds * 1000
  while (!request.signal.aborted) {
    const finished = await look()
    if (finished) return finished
    if (monotonicMs() + LOOK_EVERY_MS > until) break
    await Bun.sleep(LOOK_EVERY_MS)
  }
  return null
}

/**
 * Waits, if the caller wants to, until a record is finished.
 *
 * @param pending the 202 that the caller gets otherwise
 * @param look reads the record; returns it once it is finished, else null
 * @returns 200 with the finished record, or `pending`
 * @throws Problem `not_found` where the record is deleted meanwhile
 */
export async function preferWait(request: Request, pending: Response, look: () => Promise<object | null>): Promise<Response> {
  const seconds = preferredSeconds(request)
  if (seconds === null || pending.status !== 202) return pending
  const finished = await finishedWithin(request, seconds, look)
  if (!finished) return pending
  const context = contextOf(request)
  context.headers['Preference-Applied'] = `wait=${seconds}`
  return answer(request, context, outcomeOf(200, finished))
}
