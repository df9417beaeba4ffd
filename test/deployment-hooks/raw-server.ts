/** A TCP server that answers with arbitrary bytes, or none: what no HTTP server would send. */
import { createServer, type Socket } from 'node:net'

export interface RawServer {
  url: string
  /** The number of complete requests received. */
  count: () => number
  stop: () => Promise<void>
}

/** @param answer gets the socket after a complete request, and the head of that request */
export async function rawServer(answer: (socket: Socket, head: string) => void): Promise<RawServer> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const [head = '', body] = text.split('\r\n\r\n', 2)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (body === undefined || body.length < length) return
      text = ''
      count += 1
      answer(socket, head)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
