import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer, type Server, type Socket, connect as tcp } from 'node:net'
import { connect } from '../sql/index.ts'
import { type Box, Process, signalbox } from '../test/support/signalbox.ts'

const PATIENCE_MS = 260_000

/** What stands between a worker and the database, and can fall silent or go away. */
class Line {
  readonly #sockets = new Set<Socket>()
  /** Those that the database answers on. */
  readonly #far = new Set<Socket>()
  readonly #server: Server

  private constructor(
    readonly url: string,
    server: Server,
  ) {
    this.#server = server
  }

  static async to(target: string): Promise<Line> {
    const { hostname, port } = new URL(target)
    const server = createServer()
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const url = new URL(target)
    url.port = String((server.address() as { port: number }).port)
    const line = new Line(url.href, server)
    server.on('connection', (near) => {
      const far = tcp(Number(port), hostname)
      line.#far.add(far)
      for (const [from, into] of [
        [near, far],
        [far, near],
      ] as const) {
        line.#sockets.add(from)
        from.on('data', (data) => into.write(data))
        from.on('close', () => into.destroy())
        from.on('error', () => {})
      }
    })
    return line
  }

  /** What is asked gets through, and no answer does. */
  mute(): void {
    for (const socket of this.#far) socket.pause()
  }

  /** Nothing gets through any more, and nobody is told. */
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
let silent: Line
let gone: Line

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  silent = await Line.to(box.url)
  gone = await Line.to(box.url)
})
afterAll(async () => {
  await box.close()
  for (const line of [silent, gone]) line.cut()
})

/** Holds the lock of the drain, in a session that waits for the rest of a statement and never gets it. */
async function fallSilentWithinAStatement(): Promise<void> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const session = connect(silent.url, 'signalbox main', 1)
  session
    .begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('signalbox.drain'))`
      silent.mute()
      const never = tx`select ${1}::integer`.execute()
      resolve()
      await never
    })
    .catch(() => {})
  await asked
  await box.until('it waits for the rest', async () => {
    const waiting = await box.sql`
      select from pg_stat_activity where state = 'active' and wait_event = 'ClientRead' and query like 'select $1::integer%'
    `
    return waiting.length === 1
  })
}

test(
  'a worker that has lost its database for three minutes ends itself, whether it is refused or not answered',
  async () => {
    const workers = [silent, gone].map(({ url }) => new Process('worker/main.ts', { ...box.environment, DATABASE_URL: url }))
    await Promise.all(workers.map((worker) => worker.said('worker started')))
    await fallSilentWithinAStatement()
    silent.silence()
    gone.cut()
    const codes = await Promise.all(workers.map(({ exited }) => exited))
    expect(codes).toEqual([1, 1])
    for (const { lines } of workers) expect(lines.join('\n')).toContain('the database was away for 3 minutes')

    // The one that kept its database has gone on, and taken their place.
    const ada = await box.user('Ada')
    const site = await box.site(ada)
    await box.approval(ada, (await box.running(ada, site.project.id)).id)
    await box.settled()
    await box.until('they are forgotten', async () => (await box.sql`select from workers`).length === 1, 60_000)
  },
  PATIENCE_MS,
)

test(
  'a process that cannot begin says why again and again',
  async () => {
    const DATABASE_URL = 'postgres://ada:pass@127.0.0.1:1/signalbox'
    const worker = new Process('worker/main.ts', { ...box.environment, DATABASE_URL })
    const said = () => worker.lines.filter((line) => line.includes('ECONNREFUSED')).length
    await box.until('it said so', async () => said() === 1, 20_000)
    await box.until('it says so again', async () => said() === 2, 45_000)
    worker.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
  },
  PATIENCE_MS,
)
