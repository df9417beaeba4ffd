import { Failure } from '../support/failure.ts'
import { until } from './stage.ts'

/**
 * Receives dispatches, in the process of the benchmark, so that one clock times both ends.
 *
 * @param answerMs how long it takes to answer
 * @param onRequest gets the time of arrival by `performance.now()`, the path and the body
 */
export function startReceiver(answerMs = 0, onRequest?: (at: number, path: string, body: string) => void) {
  const dispatches = new Set<string>()
  let requests = 0
  let next = Promise.withResolvers<number>()
  async function receive(request: Request): Promise<Response> {
    const at = performance.now()
    const body = await request.text()
    requests++
    dispatches.add(request.headers.get('x-signalbox-delivery') ?? '')
    onRequest?.(at, new URL(request.url).pathname, body)
    next.resolve(at)
    next = Promise.withResolvers()
    if (answerMs > 0) await Bun.sleep(answerMs)
    return new Response('ok')
  }
  // Without an idle timeout: with it, Bun resets about half of the requests that take ten seconds.
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: receive })
  return {
    url: server.url.origin,
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
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
