/**
 * `bun run bench [part …] [--quick]`: measures Signalbox, each figure beside a baseline of the same run.
 *
 * A slow machine is not a failure: the exit code is 0 whatever the figures are. It is 1 where a part fails, such as when a
 * dispatch is lost or an answer is not the expected one.
 */
import { availableParallelism, cpus } from 'node:os'
import { approvals } from './bench/approvals.ts'
import { citus } from './bench/citus.ts'
import { claims } from './bench/claims.ts'
import { commandLine } from './bench/command-line.ts'
import { machineCpu } from './bench/cpu.ts'
import { dispatches } from './bench/dispatches.ts'
import { type Row, table } from './bench/figures.ts'
import { halfLoad } from './bench/half-load.ts'
import { heldSnapshot } from './bench/held-snapshot.ts'
import { latency } from './bench/latency.ts'
import { machines } from './bench/machines.ts'
import { mcp } from './bench/mcp.ts'
import { processCounts } from './bench/process-counts.ts'
import { proofs } from './bench/proofs.ts'
import { requests } from './bench/requests.ts'
import { search } from './bench/search.ts'
import { type Part, prepareStage, type Stage, signIn, untilIdle } from './bench/stage.ts'
import { stages } from './bench/stages.ts'
import { usage } from './bench/usage.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { stopSignal } from './support/stop-signal.ts'

const PARTS: Part[] = [
  requests,
  latency,
  halfLoad,
  stages,
  dispatches,
  claims,
  commandLine,
  machines,
  approvals,
  proofs,
  mcp,
  usage,
  search,
  processCounts,
  heldSnapshot,
  citus,
]
const NAMES = PARTS.map(({ name }) => name).join(', ')

answerHelp(`npx --yes bun run bench [part …] [--quick]

Measures Signalbox, each figure beside a baseline of the same run, on a database that is removed afterwards.
BENCH_DATABASE_URL names a server to create that database on.

  --quick  small amounts and rough figures: checks within two minutes that the benchmark works

Parts: ${NAMES}.
processes, held-snapshot and citus run only when they are named.`)

const named = process.argv.slice(2).filter((each) => each !== '--quick')
const quick = process.argv.includes('--quick')
const unknown = named.filter((name) => !PARTS.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Parts: ${NAMES}.`)
  process.exit(2)
}
const parts = PARTS.filter(({ name, onlyByName }) => (named.length > 0 ? named.includes(name) : !onlyByName))

async function run(started: AsyncDisposableStack): Promise<void> {
  console.error('Setting up …')
  const stage = await prepareStage(quick, started)
  const [{ version }] = await stage.sql<[{ version: string }]>`select current_setting('server_version') as version`
  const before = await machineCpu()
  const rows: Row[] = []
  for (const part of parts) rows.push(...(await runPart(part, stage)))
  const after = await machineCpu()
  const [busy, stolen] = [after.busy - before.busy, after.stolen - before.stolen]
  console.log(`\n${table(rows)}\n\n${conditions(version, stolen / (busy + stolen))}\n`)
}

/** A part that fails is reported in the table; the other parts still run. */
async function runPart(part: Part, stage: Stage): Promise<Row[]> {
  console.error(`${part.name} …`)
  const begun = performance.now()
  try {
    // An access token is valid for 15 minutes, and the parts together take longer.
    await signIn(stage.api, 'login')
    const rows = await part.run(stage)
    await untilIdle(stage.sql)
    console.error(`${part.name}: ${Math.round((performance.now() - begun) / 1000)} s`)
    return rows
  } catch (error) {
    exitCode = 1
    const reason = error instanceof Failure ? error.message : String(error)
    console.error(`${part.name} failed: ${reason}`)
    return [{ name: part.name, value: null, unit: '/s', note: `failed: ${reason}` }]
  }
}

const conditions = (postgres: string, stolenShare: number): string =>
  [
    `Bun ${Bun.version}, PostgreSQL ${postgres} with default settings (fsync and synchronous_commit on), ${availableParallelism()} cores (${cpus()[0]?.model}), everything on one machine.`,
    `Steal time: ${(stolenShare * 100).toFixed(0)} % of the time in which the machine had work. With more than a few percent, the figures are unreliable.`,
    ...(quick ? ['--quick: smaller amounts than these.'] : []),
    ...parts.map(({ name, about }) => `${name.padEnd(11)} ${about.replaceAll('\n', `\n${' '.repeat(14)}`)}`),
  ]
    .map((line) => `  ${line}`)
    .join('\n')

const stopping = await stopSignal()
const stopped = new Promise<never>((_, reject) => {
  stopping.addEventListener('abort', () => reject(new Failure('Stopped.')))
})
let exitCode = 0
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
