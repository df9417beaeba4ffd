/**
 * `bun run bench [part …] [--quick]`: measures Signalbox, each figure beside a baseline of the same run.
 *
 * A slow machine is not a failure: the exit code is 0 whatever the figures are. It is 1 where a part fails, such as when a
 * dispatch is lost or an answer is not the expected one.
 */
import { availableParallelism, cpus } from 'node:os'
import { stopSignal } from '../cli/support/stop-signal.js'
import { machineCpu } from './bench/cpu.ts'
import { perSecond, type Row, table } from './bench/figures.ts'
import { type Part, prepareStage, signIn, untilIdle } from './bench/stage.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'

const PARTS: Record<string, () => Promise<{ part: Part }>> = {
  requests: () => import('./bench/requests.ts'),
  latency: () => import('./bench/latency.ts'),
  'half-load': () => import('./bench/half-load.ts'),
  stages: () => import('./bench/stages.ts'),
  dispatches: () => import('./bench/dispatches.ts'),
  cli: () => import('./bench/command-line.ts'),
  machines: () => import('./bench/machines.ts'),
  approvals: () => import('./bench/approvals.ts'),
  proofs: () => import('./bench/proofs.ts'),
  mcp: () => import('./bench/mcp.ts'),
  usage: () => import('./bench/usage.ts'),
  search: () => import('./bench/search.ts'),
  processes: () => import('./bench/process-counts.ts'),
  tenants: () => import('./bench/tenants.ts'),
  'held-snapshot': () => import('./bench/held-snapshot.ts'),
  citus: () => import('./bench/citus.ts'),
}
/** These take minutes, and serve capacity planning. */
const ONLY_BY_NAME = ['processes', 'tenants', 'held-snapshot', 'citus']
const NAMES = Object.keys(PARTS).join(', ')

answerHelp(`npx --yes bun run bench [part …] [--quick]

Measures Signalbox, each figure beside a baseline of the same run, on a database that is removed afterwards.
BENCH_DATABASE_URL names a server to create that database on.

  --quick  small amounts and rough figures: checks within two minutes that the benchmark works

Parts: ${NAMES}.
processes, tenants, held-snapshot and citus run only when they are named.`)

const named = process.argv.slice(2).filter((each) => each !== '--quick')
const quick = process.argv.includes('--quick')
const unknown = named.filter((name) => !PARTS[name])
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Parts: ${NAMES}.`)
  process.exit(2)
}
let exitCode = 0

async function run(started: AsyncDisposableStack): Promise<void> {
  console.error('Setting up …')
  const stage = await prepareStage(quick, started)
  const [{ version }] = await stage.sql<[{ version: string }]>`select current_setting('server_version') as version`
  const before = await machineCpu()
  const rows: Row[] = []
  const abouts: string[] = []
  for (const [name, load] of Object.entries(PARTS)) {
    if (named.length > 0 ? !named.includes(name) : ONLY_BY_NAME.includes(name)) continue
    console.error(`${name} …`)
    const begun = performance.now()
    // A part that fails is reported in the table; the other parts still run.
    try {
      const { part } = await load()
      // An access token is valid for 15 minutes, and the parts together take longer.
      await signIn(stage.api, 'login')
      rows.push(...(await part.run(stage)))
      await untilIdle(stage.sql)
      abouts.push(`${name.padEnd(11)} ${part.about.replaceAll('\n', `\n${' '.repeat(14)}`)}`)
      console.error(`${name}: ${Math.round((performance.now() - begun) / 1000)} s`)
    } catch (error) {
      exitCode = 1
      const failed = `failed: ${error instanceof Failure ? error.message : error}`
      rows.push(perSecond(name, Number.NaN, undefined, failed))
      console.error(`${name} ${failed}`)
    }
  }
  const after = await machineCpu()
  const [busy, stolen] = [after.busy - before.busy, after.stolen - before.stolen]
  const conditions = [
    `Bun ${Bun.version}, PostgreSQL ${version} with default settings (fsync and synchronous_commit on), ${availableParallelism()} cores (${cpus()[0]?.model}), everything on one machine.`,
    `Steal time: ${((stolen / (busy + stolen)) * 100).toFixed(0)} % of the time in which the machine had work. With more than a few percent, the figures are unreliable.`,
    ...(quick ? ['--quick: smaller amounts than these.'] : []),
  ]
  console.log(`\n${table(rows)}\n\n${[...conditions, ...abouts].map((line) => `  ${line}`).join('\n')}\n`)
}

const stopping = stopSignal()
const stopped = new Promise<never>((_, reject) => {
  stopping.addEventListener('abort', () => reject(new Failure('Stopped.')))
})
const started = new AsyncDisposableStack()
try {
  await Promise.race([run(started), stopped])
} catch (error) {
  exitCode = 1
  console.error(error instanceof Failure ? error.message : error)
}
// Work that a stop interrupts fails when its processes end; that needs no message.
process.on('unhandledRejection', () => {})
await started.disposeAsync()
process.exit(exitCode)
