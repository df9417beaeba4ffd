/**
 * A receiver in the process of the benchmark, so that one clock times both ends.
 *
 * @param onRequest gets the body and the time of arrival by `performance.now()`
 * @param answerMs how long it takes to answer
 */
export function localReceiver(onRequest: (body: string, at: number) => void, answerMs = 0): AsyncDisposable & { url: string } {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const at = performance.now()
      onRequest(await request.text(), at)
      if (answerMs > 0) await Bun.sleep(answerMs)
      return new Response('ok')
    },
  })
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) }
}
