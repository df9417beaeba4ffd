import { Failure } from '../support/failure.ts'
import { until } from './stage.ts'

interface Receiver extends AsyncDisposable {
  url: string
  /** Waits for the given number of different dispatches. */
  untilReceived(count: number): Promise<void>
  /** Sets the counters to zero. Fails if a dispatch arrived twice. */
  clear(): void
}

/**
 * A receiver in the process of the benchmark, so that one clock times both ends.
 *
 * @param answerMs how long it takes to answer
 * @param onRequest gets the body and the time of arrival by `performance.now()`
 */
export function startReceiver(answerMs = 0, onRequest?: (body: string, at: number) => void): Receiver {
  const dispatches = new Set<string>()
  let requests = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const at = performance.now()
      const body = await request.text()
      requests++
      dispatches.add(request.headers.get('x-signalbox-delivery') ?? '')
      onRequest?.(body, at)
      if (answerMs > 0) await Bun.sleep(answerMs)
      return new Response('ok')
    },
  })
  return {
    url: server.url.origin,
    untilReceived: (count) => until(`${count} requests arrive`, async () => dispatches.size >= count, 1),
    clear() {
      if (requests !== dispatches.size) throw new Failure(`${requests - dispatches.size} of ${requests} requests came twice.`)
      dispatches.clear()
      requests = 0
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
