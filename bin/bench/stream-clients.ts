/** Keeps many streams open, each on its own connection, as a process; counts what arrives. */

export interface StreamOrder {
  port: number
  path: string
  /** The header that authenticates each stream, such as `Cookie: …`. */
  headers: string[]
  /** What each stream receives first. */
  greeting: string
  /** What is counted. */
  counted: string
}

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

async function openStream({ port, path, greeting, counted }: StreamOrder, header: string): Promise<void> {
  const greetings = counter(greeting)
  const arrivals = counter(counted)
  let isOpen = false
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${header}\r\n\r\n`)
      },
      data(_, data) {
        const chunk = data.toString()
        if (greetings(chunk) > 0 && !isOpen) {
          isOpen = true
          open++
        }
        received += arrivals(chunk)
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
      const order = (await request.json()) as StreamOrder
      for (const header of order.headers) await openStream(order, header)
    }
    return Response.json({ open, received })
  },
})

console.log(server.url.href)
process.on('SIGTERM', () => process.exit(0))
