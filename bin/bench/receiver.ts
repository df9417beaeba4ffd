import { Failure } from '../support/failure.ts'
import { serve } from './processes.ts'
import { until } from './stage.ts'

/**
 * Receives dispatches.
 *
 * @param answerMs how long it takes to answer
 * @param onRequest gets the body, the time of arrival by `performance.now()`, and the path
 */
export function startReceiver(answerMs = 0, onRequest?: (body: string, at: number, path: string) => void) {
  const dispatches = new Set<string>()
  let requests = 0
  let next = Promise.withResolvers<number>()
  const server = serve(async (request) => {
    const at = performance.now()
    const body = await request.text()
    requests++
    dispatches.add(request.headers.get('x-signalbox-delivery') ?? '')
    onRequest?.(body, at, new URL(request.url).pathname)
    next.resolve(at)
    next = Promise.withResolvers()
    if (answerMs > 0) await Bun.sleep(answerMs)
    return new Response('ok')
  })
  return {
    ...server,
    /** When the next request arrives, by `performance.now()`. */
    next: () => next.promise,
    /** Waits for the given number of different dispatches. */
    untilReceived: (count: number) => until(`${count} requests arrive`, async () => dispatches.size >= count, 1),
    /** Sets the counters to zero. Fails if a dispatch arrived twice. */
    clear() {
      if (requests !== dispatches.size) throw new Failure(`${requests - dispatches.size} of ${requests} requests came twice.`)
      dispatches.clear()
      requests = 0
    },
  }
}
