/** The receiver of a flood, in a process of its own: reads each request to its end and remembers which came. */

/** So long it takes to answer. */
const delayMs = Number(process.env.RECEIVER_DELAY_MS ?? 0)
const seen = new Set<string>()
let requests = 0

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    if (request.method === 'GET') return Response.json({ requests, distinct: seen.size })
    if (request.method === 'DELETE') {
      seen.clear()
      requests = 0
      return new Response(null, { status: 204 })
    }
    await request.text()
    seen.add(request.headers.get('x-signalbox-delivery') ?? '')
    requests++
    if (delayMs > 0) await Bun.sleep(delayMs)
    return new Response('ok')
  },
})

console.log(server.url.origin)
process.on('SIGTERM', () => process.exit(0))
