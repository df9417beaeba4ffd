/** How much memory the API uses with idle connections, and the worker in a flood. */
import { connect, type Socket } from 'node:net'
import { rounded } from './figures.ts'
import { countOf, flood, makeHooks, receiverAt } from './flood.ts'
import type { Part } from './part.ts'
import { startProcess } from './processes.ts'
import type { Stage } from './stage.ts'

const CONNECTIONS = 1_000
const API_LIMIT_MIB = 150
const WORKER_LIMIT_MIB = 200
const SAMPLE_MS = 50

/** A connection that sent one request and stays open. */
function openConnection(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname)
    socket.once('error', reject)
    socket.once('data', () => resolve(socket))
    socket.write(`GET /livez HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`)
  })
}

async function measureApi({ url, web }: Stage): Promise<number | null> {
  const sockets: Socket[] = []
  try {
    for (let open = 0; open < CONNECTIONS; open++) sockets.push(await openConnection(new URL(url)))
    return await web.memory()
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** The most that was seen during a flood. */
async function measureWorker(stage: Stage, count: number): Promise<number | null> {
  await using receiving = startProcess('bin/bench/receiver.ts', stage.environment)
  const receiver = receiverAt(await receiving.firstLine)
  const target = await makeHooks(stage, receiver.url)
  const samples: (number | null)[] = []
  const timer = setInterval(async () => samples.push(await stage.worker.memory()), SAMPLE_MS)
  try {
    await flood(stage, receiver, target, count)
  } finally {
    clearInterval(timer)
  }
  const known = samples.filter((sample) => sample !== null)
  return known.length === 0 ? null : Math.max(...known)
}

export const memory: Part = {
  name: 'memory',
  conditions: () =>
    `memory    resident: the API with ${CONNECTIONS.toLocaleString('en')} idle connections, and the most that the worker uses in a flood.`,
  async run(stage, quick) {
    const api = await measureApi(stage)
    const worker = await measureWorker(stage, countOf(quick))
    return {
      rows: [
        {
          name: `memory, API with ${CONNECTIONS.toLocaleString('en')} connections`,
          ours: `${api ?? '?'} MiB`,
          limit: `< ${API_LIMIT_MIB} MiB`,
        },
        { name: 'memory, worker in a flood', ours: `${worker ?? '?'} MiB`, limit: `< ${WORKER_LIMIT_MIB} MiB` },
      ],
      figures: { api_idle_connections_mib: api && rounded(api), worker_flood_mib: worker && rounded(worker) },
    }
  },
}
