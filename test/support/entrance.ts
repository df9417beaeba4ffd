/** A proxy in front of PostgreSQL that can lose connections and refuse new ones, as a server does that restarts or was set up anew. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../../bin/support/ports.ts'

/**
 * What happens to a new connection: it is passed to the server, gets an error (a SQLSTATE) when it starts a session, is closed at
 * once, gets no response, or is refused by the operating system.
 */
export type Mode = 'open' | 'closing' | 'silent' | 'absent' | { error: string }

/** An ErrorResponse of PostgreSQL's protocol (version 3.0, section "Message Formats"). */
function errorResponse(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mrefused for a test\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

export class Entrance implements AsyncDisposable {
  /** Connections tried since the mode was set. */
  tries = 0
  private mode: Mode = 'open'
  private readonly sockets = new Set<Socket>()

  private constructor(
    /** The same database, through the proxy. */
    readonly url: string,
    private readonly target: { host: string; port: number },
    private readonly port: number,
    private server: Server,
    private readonly delayMs: number,
  ) {}

  /** @param delayMs how long bytes take to each side */
  static async before(databaseUrl: string, delayMs = 0): Promise<Entrance> {
    const url = new URL(databaseUrl)
    const target = { host: url.hostname, port: Number(url.port || 5432) }
    const port = await freePort('127.0.0.1')
    url.host = `127.0.0.1:${port}`
    const entrance = new Entrance(url.href, target, port, createServer(), delayMs)
    await entrance.listen()
    return entrance
  }

  /** Changes what happens to new connections; those that are open stay. */
  async set(mode: Mode): Promise<void> {
    if (mode === 'absent') this.server.close()
    if (this.mode === 'absent' && mode !== 'absent') await this.listen()
    this.mode = mode
    this.tries = 0
  }

  /** Closes all connections. */
  lose(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.lose()
    this.server.close()
  }

  private listen(): Promise<void> {
    this.server = createServer((socket) => this.accept(socket))
    return new Promise((resolve) => this.server.listen(this.port, '127.0.0.1', resolve))
  }

  private accept(client: Socket): void {
    this.tries += 1
    this.keep(client)
    if (this.mode === 'closing') return void client.end()
    if (this.mode === 'silent') return
    if (this.mode !== 'open') {
      const { error } = this.mode as { error: string }
      return void client.once('data', () => client.end(errorResponse(error)))
    }
    const server = this.keep(connect(this.target))
    this.forward(client, server)
    this.forward(server, client)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  }

  private forward(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (this.delayMs === 0) to.write(chunk)
      else setTimeout(() => to.write(chunk), this.delayMs)
    })
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket)
    socket.setNoDelay()
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }
}
