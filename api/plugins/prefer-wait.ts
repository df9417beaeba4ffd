/** `Prefer: wait=N` (RFC 7240): responds to an asynchronous action when it has finished, or after N seconds. */
import { contextOf } from './request-context.ts'
import { respond, toOutcome } from './responses.ts'
import { waitUntilFinished } from './waiting.ts'

/** Proxies commonly time out after 30 seconds. */
const MAX_SECONDS = 25

/** Seconds that the client asks to wait; null if the header is absent or malformed. */
export function preferredSeconds(request: Request): number | null {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;[^,]*)?(?:,|$)/i.exec(request.headers.get('prefer') ?? '') ?? []
  return seconds === undefined ? null : Math.min(Number(seconds), MAX_SECONDS)
}

/**
 * Waits until a record is finished, if the client asks for it with `Prefer: wait`.
 *
 * @param pending the 202 response to return otherwise
 * @param readFinished reads the record; returns null until it is finished
 * @returns 200 with the finished record, or `pending`
 * @throws Problem `not_found` if the record is deleted meanwhile
 */
export async function preferWait(
  request: Request,
  pending: Response,
  readFinished: () => Promise<object | null>,
): Promise<Response> {
  const seconds = preferredSeconds(request)
  if (seconds === null || pending.status !== 202) return pending
  const finished = await waitUntilFinished(request, seconds, readFinished)
  if (!finished) return pending
  const context = contextOf(request)
  context.headers['Preference-Applied'] = `wait=${seconds}`
  return respond(request, context, toOutcome(200, finished))
}
