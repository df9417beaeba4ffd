/** A process that keeps many streams of notifications open, each on a connection of its own, and says how they fare. */

let open = 0
let told = 0

const BEGUN = 'event: unread_count'
const TOLD = 'event: notification'

/** How often a text stands in another; what is cut in two by the transfer stands in the next look. */
function counter(text: string): (chunk: string) => number {
  let rest = ''
  return (chunk) => {
    const parts = (rest + chunk).split(text)
    rest = (parts.at(-1) ?? '').slice(-text.length)
    return parts.length - 1
  }
}

async function openStream(port: number, token: string): Promise<void> {
  const begun = counter(BEGUN)
  const came = counter(TOLD)
  let isOpen = false
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        socket.write(`GET /api/v1/notifications/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`)
      },
      data(_, data) {
        const chunk = data.toString()
        if (begun(chunk) > 0 && !isOpen) {
          isOpen = true
          open += 1
        }
        told += came(chunk)
      },
      close() {
        open -= 1
      },
    },
  })
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    if (request.method === 'POST') {
      const { port, tokens } = (await request.json()) as { port: number; tokens: string[] }
      for (const token of tokens) await openStream(port, token)
    }
    return Response.json({ open, told })
  },
})

console.log(server.url.href)
process.on('SIGTERM', () => process.exit(0))
