/** The command line: how fast it starts, and what forwarding and waiting add. */
import { join } from 'node:path'
import { forEachLine } from '../support/lines.ts'
import { createPullHook, waits } from './claims.ts'
import { median, medians, percentile, type Row } from './figures.ts'
import { createProjects, type Part, type Stage, settle } from './stage.ts'

const PROGRAM = join(import.meta.dir, '../../cli/signalbox.js')
const WARM_UP = 10

/** @returns milliseconds until a program has ended */
async function timeOf(command: string[]): Promise<number> {
  const begun = performance.now()
  await Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }).exited
  return performance.now() - begun
}

/** Starts a command with the token of the stage. */
const start = ({ url, api }: Stage, args: string[]) =>
  Bun.spawn([Bun.which('node') ?? process.execPath, PROGRAM, ...args], {
    env: { PATH: process.env.PATH, SIGNALBOX_URL: url, SIGNALBOX_TOKEN: api.authorization.replace('Bearer ', '') },
    stdout: 'ignore',
    stderr: 'pipe',
  })

/** @returns milliseconds from the answer to a trigger, just after its commit, to the request at the local server */
async function forwardings(stage: Stage, count: number): Promise<number[]> {
  const [project = { id: '' }] = await createProjects(stage, 1)
  let arrived = Promise.withResolvers<number>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      arrived.resolve(performance.now())
      return new Response('ok')
    },
  })
  const listener = start(stage, ['listen', '--project', project.id, '--forward', server.url.href])
  try {
    const hook = await new Promise<string>((resolve) => {
      void forEachLine(listener.stderr, (line) => {
        const [, id] = /Hook (\S+):/.exec(line) ?? []
        if (id) resolve(id)
      })
    })
    await settle(stage.sql)
    const samples: number[] = []
    for (let number = 0; number < WARM_UP + count; number++) {
      arrived = Promise.withResolvers()
      await Bun.sleep(50)
      await stage.api.post(`/deployment-hooks/${hook}/trigger`, {})
      const committed = performance.now()
      const ms = (await arrived.promise) - committed
      if (number >= WARM_UP) samples.push(Math.max(0, ms))
    }
    return samples
  } finally {
    listener.kill('SIGTERM')
    await listener.exited
    await server.stop(true)
  }
}

/** @returns milliseconds from the answer to a decision to the end of the process that waited for it */
async function decisions(stage: Stage, count: number): Promise<number[]> {
  const [project = { id: '' }] = await createProjects(stage, 1)
  const samples: number[] = []
  for (let number = 0; number < count; number++) {
    const { id } = await stage.api.post(`/projects/${project.id}/gates`, { name: 'Release' })
    const waiting = start(stage, ['wait', id])
    await new Promise<void>((resolve) => void forEachLine(waiting.stderr, () => resolve()))
    // At any moment between two questions.
    await Bun.sleep(Math.random() * 500)
    await stage.api.post(`/gates/${id}/approve`, {})
    const decided = performance.now()
    await waiting.exited
    samples.push(performance.now() - decided)
  }
  return samples
}

export const commandLine: Part = {
  name: 'cli',
  about:
    'npx signalbox on Node, without npx: 20 starts of help, beside those of an empty program; 100 dispatches from the answer to the trigger (just after its commit) to the local server of listen --forward, beside a claim that waits in this process; 20 gates from the answer to the approval to the end of wait.',
  async run(stage) {
    const [starts, dispatches, gates] = stage.quick ? [5, 20, 5] : [20, 100, 20]
    const node = Bun.which('node') ?? process.execPath
    const { help, empty } = await medians(starts, {
      help: () => timeOf([node, PROGRAM, 'help']),
      empty: () => timeOf([node, '/dev/null']),
    })
    const claimed = await waits(stage, await createPullHook(stage), dispatches)
    const forwarded = await forwardings(stage, dispatches)
    const decided = await decisions(stage, gates)
    const rows: Row[] = [
      { name: 'help, start to end', value: help, unit: 'ms', baseline: empty, target: '≤ 150 ms' },
      { name: 'commit to local server by listen, p50', value: median(forwarded), unit: 'ms', baseline: median(claimed) },
      { name: 'added by listen, p50', value: Math.max(0, median(forwarded) - median(claimed)), unit: 'ms', target: '≤ 20 ms' },
      { name: 'decision to end of wait, p50', value: median(decided), unit: 'ms' },
      { name: 'decision to end of wait, p99', value: percentile(decided, 0.99), unit: 'ms', target: '≤ 1000 ms' },
    ]
    return rows
  },
}
