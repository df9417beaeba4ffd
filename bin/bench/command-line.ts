/** The command line: how fast it starts, and what forwarding and waiting add. */
import { join } from 'node:path'
import { forEachLine } from '../support/lines.ts'
import { delays, median, medians, ms, percentile, timeOf } from './figures.ts'
import { claims } from './latency.ts'
import { startReceiver } from './receiver.ts'
import { createProject, openGate, type Part, type Stage, settle } from './stage.ts'

const PROGRAM = join(import.meta.dir, '../../cli/signalbox.js')
const NODE = Bun.which('node') ?? process.execPath

/** Starts a command with the token of the stage. @returns also the first match of a pattern in a line that it prints */
function start({ url, api }: Stage, args: string[], pattern: RegExp) {
  const child = Bun.spawn([NODE, PROGRAM, ...args], {
    env: { PATH: process.env.PATH, SIGNALBOX_URL: url, SIGNALBOX_TOKEN: api.authorization.replace('Bearer ', '') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const { promise: printed, resolve } = Promise.withResolvers<string>()
  void forEachLine(child.stderr, (line) => pattern.test(line) && resolve(pattern.exec(line)?.[1] ?? ''))
  return { child, printed }
}

/** @returns milliseconds from the answer to a trigger, just after its commit, to the request at the local server */
async function forwardings(stage: Stage, count: number): Promise<number[]> {
  const { id } = await createProject(stage)
  await using local = startReceiver()
  const { child, printed } = start(stage, ['listen', '--project', id, '--forward', local.url], /Hook (\S+):/)
  try {
    const change = async () => stage.api.post(`/deployment-hooks/${await printed}/trigger`, {})
    await printed
    await settle(stage.sql)
    return await delays(count, async () => ({ change, seen: local.next() }))
  } finally {
    child.kill('SIGTERM')
    await child.exited
  }
}

/** @returns milliseconds from the answer to a decision to the end of the process that waited for it */
async function decisions(stage: Stage, count: number): Promise<number[]> {
  const project = await createProject(stage)
  return delays(count, async () => {
    const { id } = await openGate(stage, project.id)
    const { child, printed } = start(stage, ['wait', id], /./)
    await printed
    // At any moment between two questions.
    await Bun.sleep(Math.random() * 500)
    const seen = child.exited.then(() => performance.now())
    return { change: () => stage.api.post(`/gates/${id}/approve`, {}), seen }
  })
}

export const part: Part = {
  about:
    'npx signalbox on Node, without npx: 20 starts of help, beside those of an empty program; 100 dispatches from the answer to the trigger (just after its commit) to the local server of listen --forward, beside a claim that waits in this process; 20 gates from the answer to the approval to the end of wait.',
  async run(stage) {
    const [starts, dispatches, gates] = stage.quick ? [5, 20, 5] : [20, 100, 20]
    const run = (args: string[]) => () => timeOf(() => Bun.spawn([NODE, ...args], { stdout: 'ignore', stderr: 'ignore' }).exited)
    const { value, baseline } = await medians(starts, { value: run([PROGRAM, 'help']), baseline: run(['/dev/null']) })
    const claimed = median(await claims(stage, dispatches))
    const forwarded = median(await forwardings(stage, dispatches))
    const decided = percentile(await decisions(stage, gates), 0.99)
    return [
      ms('help, start to end', { value, baseline }, '≤ 150 ms'),
      ms('added by listen, p50', Math.max(0, forwarded - claimed), '≤ 20 ms'),
      ms('decision to end of wait, p99', decided, '≤ 1000 ms'),
    ]
  },
}
