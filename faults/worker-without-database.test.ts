import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer, type Server, type Socket, connect as tcp } from 'node:net'
import { connect } from '../sql/index.ts'
import { type Box, Process, signalbox } from '../test/support/signalbox.ts'

const PATIENCE_MS = 260_000

/** A TCP proxy between a worker and the database that can go silent or close. */
class TcpProxy {
  readonly #sockets = new Set<Socket>()
  /** The sockets to the database. */
  readonly #upstream = new Set<Socket>()
  readonly #server: Server

  private constructor(
    readonly url: string,
    server: Server,
  ) {
    this.#server = server
  }

  static async to(target: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(target)
    const server = createServer()
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const url = new URL(target)
    url.port = String((server.address() as { port: number }).port)
    const line = new TcpProxy(url.href, server)
    server.on('connection', (downstream) => {
      const upstream = tcp(Number(port), hostname)
      line.#upstream.add(upstream)
      for (const [from, into] of [
        [downstream, upstream],
        [upstream, downstream],
      ] as const) {
        line.#sockets.add(from)
        from.on('data', (data) => into.write(data))
        from.on('close', () => into.destroy())
        from.on('error', () => {})
      }
    })
    return line
  }

  /** Queries get through, results do not. */
  mute(): void {
    for (const socket of this.#upstream) socket.pause()
  }

  /** Nothing gets through any more, and no socket is closed. */
  silence(): void {
    for (const socket of this.#sockets) socket.pause()
    this.#server.removeAllListeners('connection')
  }

  cut(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

let box: Box
let silent: TcpProxy
let refused: TcpProxy

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 1 })
  silent = await TcpProxy.to(box.url)
  refused = await TcpProxy.to(box.url)
})
afterAll(async () => {
  await box.close()
  for (const line of [silent, refused]) line.cut()
})

/** Holds the lock of an organization's drain in a session whose statement is never sent completely. */
async function stallWithinStatement(organization_id: string): Promise<void> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const session = connect(silent.url, 'signalbox main', 1)
  session
    .begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`signalbox.drain ${organization_id}`}, 0))`
      silent.mute()
      const never = tx`select ${1}::integer`.execute()
      resolve()
      await never
    })
    .catch(() => {})
  await asked
  await box.until('the server waits for the rest', async () => {
    const waiting = await box.sql`
      select from pg_stat_activity where state = 'active' and wait_event = 'ClientRead' and query like 'select $1::integer%'
    `
    return waiting.length === 1
  })
}

test(
  'a worker without its database for three minutes exits, whether connections are refused or silent',
  async () => {
    const ada = await box.user('Ada')
    const site = await box.site(ada)
    const workers = [silent, refused].map(({ url }) => new Process('worker/main.ts', { ...box.environment, DATABASE_URL: url }))
    await Promise.all(workers.map((worker) => worker.said('worker started')))
    await stallWithinStatement(site.organization.id)
    silent.silence()
    refused.cut()
    const codes = await Promise.all(workers.map(({ exited }) => exited))
    expect(codes).toEqual([1, 1])
    for (const { lines } of workers) expect(lines.join('\n')).toContain('database unreachable for 3 minutes')

    // The worker with a database continues and takes over.
    await box.approval(ada, (await box.running(ada, site.project.id)).id)
    await box.settled()
    await box.until('they are removed', async () => (await box.sql`select from workers`).length === 1, 60_000)
  },
  PATIENCE_MS,
)

test(
  'a process that cannot start logs the reason repeatedly',
  async () => {
    const DATABASE_URL = 'postgres://ada:pass@127.0.0.1:1/signalbox'
    const worker = new Process('worker/main.ts', { ...box.environment, DATABASE_URL })
    const countLogged = () => worker.lines.filter((line) => line.includes('ECONNREFUSED')).length
    await box.until('it was logged', async () => countLogged() === 1, 20_000)
    await box.until('it was logged again', async () => countLogged() === 2, 45_000)
    worker.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
  },
  PATIENCE_MS,
)
