/** Time from the commit of a change to the arrival of its request, on an idle worker. */
import { createServer, connect as open, type Socket } from 'node:net'
import { newSecret } from '../../core/security/signing.ts'
import { delays, ms, percentile, WARM_UP } from './figures.ts'
import { startProcess } from './processes.ts'
import { startReceiver } from './receiver.ts'
import { createProject, type Part, type Stage, untilIdle, untilWorkersReady, withoutWorker } from './stage.ts'

const ROUND_TRIP_MS = 5
/** The most that a project can have. */
const PENDING_GATES = 100

/** @returns the address of a proxy of PostgreSQL, to which each direction takes half of a round trip */
async function slowNetwork(databaseUrl = ''): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.setNoDelay()
    from.on('data', (bytes) => setTimeout(() => to.write(bytes), ROUND_TRIP_MS / 2))
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

/** Milliseconds from the answer of the API to the request, for gates that are approved one after another. */
async function measure(stage: Stage): Promise<number[]> {
  const { api, sql, quick } = stage
  await using receiver = startReceiver()
  const hook = { name: 'Latency', url: receiver.url, secret: newSecret(), trigger_on: 'gate_approved' }
  const samples = quick ? 20 : 200
  const gates: string[] = []
  while (gates.length < samples + WARM_UP) {
    const { id } = await createProject(stage)
    await api.post(`/projects/${id}/deployment-hooks`, hook)
    for (let open = 0; open < PENDING_GATES; open++) gates.push((await api.post(`/projects/${id}/gates`, { name: 'Gate' })).id)
  }
  await untilIdle(sql)
  return await delays(samples, async () => {
    const gate = gates.shift()
    return { change: () => api.post(`/gates/${gate}/approve`, {}), seen: receiver.next() }
  })
}

export const part: Part = {
  about: `200 gates approved one after another on an idle worker, from the API's answer (just after its commit) until the request reaches the receiver. Then with a worker whose round trips to PostgreSQL take ${ROUND_TRIP_MS} ms.`,
  async run(stage) {
    const near = await measure(stage)
    const far = await withoutWorker(stage, async () => {
      await using network = await slowNetwork(stage.environment.DATABASE_URL)
      await using _ = startProcess('worker/main.ts', { ...stage.environment, DATABASE_URL: network.url })
      await untilWorkersReady(stage.sql, 1)
      return await measure(stage)
    })
    return [
      ms('commit to request, p50', percentile(near, 0.5), { target: '≤ 5 ms' }),
      ms('commit to request, p99', percentile(near, 0.99), { target: '≤ 15 ms' }),
      ms(`commit to request, p50, round trips of ${ROUND_TRIP_MS} ms`, percentile(far, 0.5), { target: '≤ 45 ms' }),
    ]
  },
}
