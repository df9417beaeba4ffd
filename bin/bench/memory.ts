/** Memory of the API with idle connections, and of the worker in a flood. */
import { connect, type Socket } from 'node:net'
import { createHooks, dispatchesIn, flood, startReceiver } from './flood.ts'
import type { Part } from './part.ts'
import type { Stage } from './stage.ts'

const CONNECTIONS = 1_000
const SAMPLE_EVERY_MS = 50

/** Opens a connection, sends one request, and keeps it open. */
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

/** The highest of the samples that are taken during a flood. */
async function measureWorker(stage: Stage, count: number): Promise<number | null> {
  await using receiver = await startReceiver(stage.environment)
  const target = await createHooks(stage, receiver.url)
  const samples: number[] = []
  const timer = setInterval(async () => samples.push((await stage.worker.memory()) ?? 0), SAMPLE_EVERY_MS)
  try {
    await flood(stage, receiver, target, count)
  } finally {
    clearInterval(timer)
  }
  return Math.max(...samples) || null
}

export const memory: Part = {
  name: 'memory',
  describe: () =>
    `memory      resident memory of the API with ${CONNECTIONS.toLocaleString('en')} idle connections, and the highest of the worker in a flood.`,
  async run(stage, quick) {
    const connections = CONNECTIONS.toLocaleString('en')
    return [
      { name: `memory, API with ${connections} connections`, value: await measureApi(stage), unit: 'MiB', atMost: 150 },
      { name: 'memory, worker in a flood', value: await measureWorker(stage, dispatchesIn(quick)), unit: 'MiB', atMost: 200 },
    ]
  },
}
