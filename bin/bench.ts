/**
 * `bun run bench [part …] [--quick] [--json]`: how fast it all is, each figure beside a baseline of the same run.
 *
 * `--quick` shows in under two minutes that it works, with rough figures and without the parts that take their time. `--json` writes the figures to stdout for
 * machines; the table then goes to stderr, where the progress is.
 *
 * No timed test: a slow machine is no failure. A lost dispatch or an answer that is not as it should be is one.
 */
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { backlog } from './bench/backlog.ts'
import { busy } from './bench/busy.ts'
import { channels } from './bench/channels.ts'
import { cost } from './bench/cost.ts'
import { busyCores, stolenCores } from './bench/cpu.ts'
import { dispatching } from './bench/dispatching.ts'
import { documents } from './bench/documents.ts'
import { fairness } from './bench/fairness.ts'
import { fanOut } from './bench/fan-out.ts'
import { isReached, type Row, rounded, table } from './bench/figures.ts'
import { history } from './bench/history.ts'
import { inbox } from './bench/inbox.ts'
import { hanging, waiting } from './bench/isolation.ts'
import { latency } from './bench/latency.ts'
import { machines } from './bench/machines.ts'
import { memory } from './bench/memory.ts'
import { ops } from './bench/ops.ts'
import type { Measured, Part } from './bench/part.ts'
import { peers } from './bench/peers.ts'
import { requests } from './bench/requests.ts'
import { scaling } from './bench/scaling.ts'
import { idle, type Stage, setStage } from './bench/stage.ts'
import { streams } from './bench/streams.ts'
import { writing } from './bench/writing.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { stopSignal } from './support/stop-signal.ts'

const PARTS: Part[] = [
  requests,
  writing,
  peers,
  latency,
  busy,
  fairness,
  channels,
  fanOut,
  dispatching,
  cost,
  hanging,
  waiting,
  scaling,
  backlog,
  memory,
  documents,
  history,
  inbox,
  streams,
  ops,
  machines,
]

answerHelp(`npx --yes bun run bench [part …] [--quick] [--json]

Measures how fast it all is, each figure beside a baseline of the same run, on a database that is thrown away afterwards.

  --quick  rough figures in under two minutes, without the parts that take their time
  --json   figures on stdout for programs; the table goes to stderr

Parts: ${PARTS.map(({ name }) => name).join(', ')}.`)

const FLAGS = {
  quick: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

const { values, positionals } = arguments_()
const { quick, json } = values

function arguments_() {
  try {
    return parseArgs({ options: FLAGS, allowPositionals: true })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

const say = (line: string) => console.error(line)

/** The parts that the command line names; where it names none, all but those that stand apart. */
function chosenParts(names: string[]): Part[] {
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name))
  if (unknown.length > 0) {
    throw new Failure(`There is no part ${unknown.join(', ')}. There are: ${PARTS.map(({ name }) => name).join(', ')}.`)
  }
  return PARTS.filter(({ name, apart, thorough }) => (names.length === 0 ? !apart && !(quick && thorough) : names.includes(name)))
}

async function run(started: AsyncDisposableStack): Promise<void> {
  const parts = chosenParts(positionals)
  say('Setting up …')
  const stage = await setStage(started)
  const [{ version }] = await stage.sql<[{ version: string }]>`select current_setting('server_version') as version`
  const rows: Row[] = []
  const figures: Record<string, unknown> = {}
  const stolen = await stealing()
  for (const part of parts) {
    say(`${part.name} …`)
    const begun = performance.now()
    const stolenHere = await stealing()
    const measured = await attempt(part, stage)
    say(`${part.name}: ${Math.round((performance.now() - begun) / 1000)} s, ${percent(await stolenHere())} stolen`)
    rows.push(...measured.rows)
    Object.assign(figures, measured.figures)
  }
  const share = await stolen()
  const shown = `\n${table(rows)}\n\n${conditions(version, parts, share)}\n`
  if (!json) return console.log(shown)
  say(shown)
  console.log(
    JSON.stringify({
      quick,
      versions: { bun: Bun.version, postgresql: version, platform: `${process.platform} ${process.arch}` },
      cores: availableParallelism(),
      stolen: rounded(share),
      rows: rows.map((row) => ({ ...row, reached: isReached(row) })),
      ...figures,
    }),
  )
}

/** From here on: the share of the time that this machine wanted its cores in which a hypervisor gave them to others. */
async function stealing(): Promise<() => Promise<number>> {
  const [stolen, busy] = [await stolenCores(), await busyCores()]
  return async () => {
    const [taken, had] = [(await stolenCores()) - stolen, (await busyCores()) - busy]
    return taken / (taken + had)
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

/** What one part measured, on an idle stage. One that failed says so in the table, and leaves the others theirs. */
async function attempt(part: Part, stage: Stage): Promise<Measured> {
  try {
    await stage.signIn()
    const measured = await part.run(stage, quick)
    await idle(stage.sql)
    return measured
  } catch (error) {
    exitCode = 1
    const reason = error instanceof Failure ? error.message : String(error)
    say(`${part.name} failed: ${reason}`)
    return { rows: [{ name: part.name, ours: 'failed', limit: reason }], figures: { [`${part.name}_failed`]: reason } }
  }
}

const conditions = (postgres: string, parts: Part[], stolen: number): string =>
  [
    `Bun ${Bun.version}, PostgreSQL ${postgres} as it comes (fsync and synchronous_commit on), ${availableParallelism()} cores (${cpus()[0]?.model}), all on one machine.`,
    `Of the time that it wanted its cores, others had them for ${percent(stolen)}: with more than a few, figures say little.`,
    ...parts.map((part) => part.conditions(quick)),
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
// What a stop interrupted fails while its ground is taken away; that is no news.
process.on('unhandledRejection', () => {})
await started.disposeAsync()
process.exit(exitCode)
