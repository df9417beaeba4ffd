/** A network between a process and PostgreSQL whose round trips take some milliseconds. */
import { createServer, connect as open, type Socket } from 'node:net'

/** @returns the address of a proxy of the server, to which each direction takes half of the time */
export async function slowNetwork(databaseUrl: string, roundTripMs: number): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.setNoDelay()
    from.on('data', (bytes) => setTimeout(() => to.write(bytes), roundTripMs / 2))
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
  }
  const server = createServer((client) => {
    const upstream = open(Number(port), hostname)
    forward(client, upstream)
    forward(upstream, client)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(server.address() as { port: number }).port}` }).href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
