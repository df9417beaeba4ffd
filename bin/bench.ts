/**
 * `bun run bench [part …] [--quick] [--json]`: measures Signalbox, each figure beside a baseline of the same run.
 *
 * A slow machine is not a failure: the exit code is 0 whatever the figures are. It is 1 where a part fails, such as when a
 * dispatch is lost or an answer is not the expected one.
 */
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { backlog } from './bench/backlog.ts'
import { channels } from './bench/channels.ts'
import { citus } from './bench/citus.ts'
import { machineCpu } from './bench/cpu.ts'
import { dispatches } from './bench/dispatches.ts'
import { documents } from './bench/documents.ts'
import { environments } from './bench/environments.ts'
import { fairness } from './bench/fairness.ts'
import { isReached, type Row, rounded, table } from './bench/figures.ts'
import { halfLoad } from './bench/half-load.ts'
import { latency } from './bench/latency.ts'
import { memory } from './bench/memory.ts'
import { pages } from './bench/pages.ts'
import type { Part } from './bench/part.ts'
import { processCounts } from './bench/process-counts.ts'
import { pull } from './bench/pull.ts'
import { requests } from './bench/requests.ts'
import { scaling } from './bench/scaling.ts'
import { prepareStage, type Stage, signIn, untilIdle } from './bench/stage.ts'
import { streams } from './bench/streams.ts'
import { templates } from './bench/templates.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { stopSignal } from './support/stop-signal.ts'

const PARTS: Part[] = [
  requests,
  latency,
  halfLoad,
  fairness,
  channels,
  dispatches,
  templates,
  pull,
  scaling,
  backlog,
  environments,
  documents,
  memory,
  streams,
  pages,
  processCounts,
  citus,
]

answerHelp(`npx --yes bun run bench [part …] [--quick] [--json]

Measures Signalbox, each figure beside a baseline of the same run, on a database that is removed afterwards.
BENCH_DATABASE_URL names a server to create that database on.

  --quick  small amounts and rough figures, without the slow parts: checks within two minutes that the benchmark works
  --json   prints the figures as JSON on stdout, and the table on stderr

Parts: ${PARTS.map(({ name }) => name).join(', ')}.
${PARTS.filter(({ onlyByName }) => onlyByName)
  .map(({ name }) => name)
  .join(' and ')} run only when they are named.`)

const { values, positionals } = readArguments()
const { quick, json } = values

function readArguments() {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ options: { quick: flag, json: flag }, allowPositionals: true })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

/** The parts that the command line names; without names, all but those that run only by name. */
function chosenParts(names: string[]): Part[] {
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name))
  if (unknown.length > 0) {
    throw new Failure(`Unknown part: ${unknown.join(', ')}. Parts: ${PARTS.map(({ name }) => name).join(', ')}.`)
  }
  return PARTS.filter(({ name, onlyByName, slow }) => (names.length > 0 ? names.includes(name) : !onlyByName && !(quick && slow)))
}

async function run(started: AsyncDisposableStack): Promise<void> {
  const parts = chosenParts(positionals)
  console.error('Setting up …')
  const stage = await prepareStage(started)
  const [{ version }] = await stage.sql<[{ version: string }]>`select current_setting('server_version') as version`
  const before = await machineCpu()
  const rows: Row[] = []
  for (const part of parts) rows.push(...(await runPart(part, stage)))
  const after = await machineCpu()
  const [busy, stolen] = [after.busy - before.busy, after.stolen - before.stolen]
  const stolenShare = stolen / (busy + stolen)

  const text = `\n${table(rows)}\n\n${conditions(version, parts, stolenShare)}\n`
  if (!json) return console.log(text)
  console.error(text)
  console.log(
    JSON.stringify({
      quick,
      versions: { bun: Bun.version, postgresql: version, platform: `${process.platform} ${process.arch}` },
      cores: availableParallelism(),
      stolen: rounded(stolenShare),
      rows: rows.map((row) => ({ ...row, reached: isReached(row) })),
    }),
  )
}

/** A part that fails is reported in the table; the other parts still run. */
async function runPart(part: Part, stage: Stage): Promise<Row[]> {
  console.error(`${part.name} …`)
  const begun = performance.now()
  try {
    await signIn(stage)
    const rows = await part.run(stage, quick)
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

const conditions = (postgres: string, parts: Part[], stolenShare: number): string =>
  [
    `Bun ${Bun.version}, PostgreSQL ${postgres} with default settings (fsync and synchronous_commit on), ${availableParallelism()} cores (${cpus()[0]?.model}), everything on one machine.`,
    `Steal time: ${(stolenShare * 100).toFixed(0)} % of the time in which the machine had work. With more than a few percent, the figures are unreliable.`,
    ...parts.map((part) => part.describe(quick)),
  ]
    .flatMap((each) => each.split('\n'))
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
