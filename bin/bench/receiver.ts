/** Receives a flood, as a process: counts the requests and the different dispatches among them. */

const delayMs = Number(process.env.RECEIVER_DELAY_MS ?? 0)
const dispatches = new Set<string>()
let requests = 0

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    if (request.method === 'GET') return Response.json({ requests, distinct: dispatches.size })
    if (request.method === 'DELETE') {
      dispatches.clear()
      requests = 0
      return new Response(null, { status: 204 })
    }
    await request.text()
    dispatches.add(request.headers.get('x-signalbox-delivery') ?? '')
    requests++
    if (delayMs > 0) await Bun.sleep(delayMs)
    return new Response('ok')
  },
})

console.log(server.url.origin)
process.on('SIGTERM', () => process.exit(0))
