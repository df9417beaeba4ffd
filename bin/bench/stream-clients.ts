/** Keeps many streams of notifications open, each on its own connection, as a process; counts what arrives. */

let open = 0
let received = 0

/** Counts occurrences of a text in chunks; an occurrence that is split over two chunks counts once. */
function counter(text: string): (chunk: string) => number {
  let rest = ''
  return (chunk) => {
    const parts = (rest + chunk).split(text)
    rest = (parts.at(-1) ?? '').slice(-text.length)
    return parts.length - 1
  }
}

async function openStream(port: number, token: string): Promise<void> {
  const greetings = counter('event: unread_count')
  const notifications = counter('event: notification')
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
        if (greetings(chunk) > 0 && !isOpen) {
          isOpen = true
          open++
        }
        received += notifications(chunk)
      },
      close() {
        open--
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
    return Response.json({ open, received })
  },
})

console.log(server.url.href)
process.on('SIGTERM', () => process.exit(0))
