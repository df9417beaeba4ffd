/**
 * `bun run bench`: how fast the main job is, each figure beside a baseline that was measured in the same run.
 *
 * No timed test: a slow machine is no failure. A lost dispatch or an answer that is not as it should be is one.
 */
import { availableParallelism, cpus } from 'node:os'
import { busy } from './bench/busy.ts'
import { channels } from './bench/channels.ts'
import { dispatching } from './bench/dispatching.ts'
import { documents } from './bench/documents.ts'
import { type Row, table } from './bench/figures.ts'
import { history } from './bench/history.ts'
import { inbox } from './bench/inbox.ts'
import { hanging, waiting } from './bench/isolation.ts'
import { latency } from './bench/latency.ts'
import type { Part } from './bench/part.ts'
import { peers } from './bench/peers.ts'
import { requests } from './bench/requests.ts'
import { idle, setStage } from './bench/stage.ts'
import { writing } from './bench/writing.ts'
import { Failure } from './support/failure.ts'
import { stopSignal } from './support/stop-signal.ts'

const PARTS: Part[] = [
  requests,
  writing,
  peers,
  latency,
  busy,
  channels,
  dispatching,
  hanging,
  waiting,
  documents,
  history,
  inbox,
]

const quick = Boolean(process.env.BENCH_QUICK)

const say = (line: string) => console.error(line)

/** The parts that the command line names; all where it names none. */
function chosenParts(names: string[]): Part[] {
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name))
  if (unknown.length > 0) {
    throw new Failure(`There is no part ${unknown.join(', ')}. There are: ${PARTS.map(({ name }) => name).join(', ')}.`)
  }
  return names.length === 0 ? PARTS : PARTS.filter(({ name }) => names.includes(name))
}

async function run(started: AsyncDisposableStack): Promise<void> {
  const parts = chosenParts(process.argv.slice(2))
  say('Setting up …')
  const stage = await setStage(started)
  const [{ version }] = await stage.sql<[{ version: string }]>`select current_setting('server_version') as version`
  const rows: Row[] = []
  const figures: Record<string, unknown> = {}
  for (const part of parts) {
    say(`${part.name} …`)
    const measured = await part.run(stage, quick)
    rows.push(...measured.rows)
    Object.assign(figures, measured.figures)
    await idle(stage.sql)
  }
  const memory = await stage.web.memory()
  rows.push({ name: 'memory, API', ours: `${memory ?? '?'} MB` })
  console.log(`\n${table(rows)}\n\n${conditions(version, parts)}\n`)
  console.log(
    JSON.stringify({
      quick,
      versions: { bun: Bun.version, postgresql: version, platform: `${process.platform} ${process.arch}` },
      cores: availableParallelism(),
      ...figures,
      api_memory_mb: memory,
    }),
  )
}

const conditions = (postgres: string, parts: Part[]): string =>
  [
    `Bun ${Bun.version}, PostgreSQL ${postgres} as it comes (fsync and synchronous_commit on), ${availableParallelism()} cores (${cpus()[0]?.model}), all on one machine.`,
    ...parts.map((part) => part.conditions(quick)),
    `memory    resident, when all is over.`,
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
