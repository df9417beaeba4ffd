/**
 * `bun run bench`: how fast the main job is, each figure beside a baseline that was measured in the same run.
 *
 * No timed test: a slow machine is no failure. A lost dispatch or an answer that is not as it should be is one.
 */
import { availableParallelism, cpus } from 'node:os'
import { HOOKS, measureDispatching } from './bench/dispatching.ts'
import { milliseconds, perSecond, type Row, rounded, table } from './bench/figures.ts'
import { measureLatency } from './bench/latency.ts'
import { compareRequests, PROJECTS } from './bench/requests.ts'
import { idle, setStage } from './bench/stage.ts'
import { Failure } from './support/failure.ts'
import { stopSignal } from './support/stop-signal.ts'

const LATENCY_LIMIT_MS = 20

const quick = Boolean(process.env.BENCH_QUICK)
const requestScale = quick ? { rounds: 1, seconds: 1, warmUpSeconds: 0.5 } : { rounds: 3, seconds: 4, warmUpSeconds: 2 }
const gates = quick ? 20 : 200
const dispatches = quick ? 2_000 : 20_000
const floods = quick ? 1 : 3

const say = (line: string) => console.error(line)

async function run(started: AsyncDisposableStack): Promise<void> {
  say('Setting up …')
  const stage = await setStage(started)
  const [{ version }] = await stage.sql<[{ version: string }]>`select current_setting('server_version') as version`
  say('Reads and writes …')
  const { read, write } = await compareRequests(stage, requestScale)
  await idle(stage.sql)
  say('From commit to dispatch …')
  const latency = await measureLatency(stage, gates)
  say('Dispatches …')
  const dispatching = await measureDispatching(stage, dispatches, floods)
  const web = await stage.web.memory()

  const { from_answer, from_request } = latency
  const rows: Row[] = [
    { name: 'authorised read', ours: perSecond(read.ours), baseline: perSecond(read.baseline), ratio: read.ours / read.baseline },
    {
      name: 'audited write',
      ours: perSecond(write.ours),
      baseline: perSecond(write.baseline),
      ratio: write.ours / write.baseline,
    },
    { name: 'commit to dispatch, p50', ours: milliseconds(from_answer.p50), limit: `< ${LATENCY_LIMIT_MS} ms` },
    { name: 'commit to dispatch, p95', ours: milliseconds(from_answer.p95) },
    { name: 'commit to dispatch, p99', ours: milliseconds(from_answer.p99) },
    { name: 'request sent to dispatch, p50', ours: milliseconds(from_request.p50) },
    ...(['one_worker', 'two_workers'] as const).map((key) => ({
      name: `dispatches, ${key.replace('_', ' ')}`,
      ours: perSecond(dispatching[key]),
      baseline: perSecond(dispatching.plain_job),
      ratio: dispatching[key] / dispatching.plain_job,
    })),
    { name: 'memory, API', ours: `${web ?? '?'} MB` },
    ...dispatching.memory.map((memory, index) => ({ name: `memory, worker ${index + 1}`, ours: `${memory ?? '?'} MB` })),
  ]
  console.log(`\n${table(rows)}\n\n${conditions(version, dispatching.body_bytes)}\n`)
  console.log(
    JSON.stringify({
      quick,
      versions: { bun: Bun.version, postgresql: version, platform: `${process.platform} ${process.arch}` },
      cores: availableParallelism(),
      authorised_read_per_second: compared(read),
      audited_write_per_second: compared(write),
      commit_to_dispatch_ms: each(from_answer),
      request_to_dispatch_ms: each(from_request),
      dispatches_per_second: {
        one_worker: rounded(dispatching.one_worker),
        two_workers: rounded(dispatching.two_workers),
        plain_job: rounded(dispatching.plain_job),
        ratio: rounded(dispatching.one_worker / dispatching.plain_job),
        ratio_two_workers: rounded(dispatching.two_workers / dispatching.plain_job),
      },
      memory_mb: { api: web, workers: dispatching.memory },
    }),
  )
}

const compared = ({ ours, baseline }: { ours: number; baseline: number }) => ({
  ours: rounded(ours),
  baseline: rounded(baseline),
  ratio: rounded(ours / baseline),
})

const each = (figures: object) => Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)]))

function conditions(postgres: string, bodyBytes: number): string {
  const { rounds, seconds } = requestScale
  return [
    `Bun ${Bun.version}, PostgreSQL ${postgres} as it comes (fsync and synchronous_commit on), ${availableParallelism()} cores (${cpus()[0]?.model}), all on one machine.`,
    `read      GET /organizations/{id}, against a bare Elysia route with the same two statements; 16 in flight, median of ${rounds} × ${seconds} s in turns.`,
    `write     POST /projects/{id}/requirements over ${PROJECTS} projects, against a bare Elysia route with the same SQL in one transaction; as above.`,
    `commit    ${gates} gates approved one after another on an idle worker; until the request is in the receiver, since the API's answer was read (just after its commit), and since the request was sent.`,
    `dispatch  ${dispatches.toLocaleString('en')} events in one insert into outbox, ${HOOKS} hooks, bodies of ${bodyBytes} bytes, signed; drain, fan-out, sending and record, until the last is on record; median of ${floods}.`,
    `          Baseline: as many graphile-worker jobs, added in one transaction, one fetch each on kept connections, nothing recorded; concurrency 24, localQueue 500.`,
    `          Tables are vacuumed and analysed before each flood, of either side.`,
    `memory    resident, when all is over.`,
  ]
    .map((line) => `  ${line}`)
    .join('\n')
}

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
