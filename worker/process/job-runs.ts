/** The record of every attempt of every job (`ops.job_runs`), written many at once beside the jobs themselves. */
import type { Job, WorkerEvents } from 'graphile-worker'
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Json } from '../../sql/index.ts'
import { errorClass } from './errors.ts'
import { workerId } from './heartbeat.ts'

const FLUSH_MS = 250
const FLUSH_ROWS = 1_000
/** As many are kept while the database is away. The jobs themselves are not lost; of what is over, no record is. */
const MOST_WAITING = 20_000
/** What a column of milliseconds holds: 24 days. */
const MOST_MS = 2 ** 31 - 1

interface JobRun {
  organization_id: string | null
  job_id: string
  task: string
  attempt: number
  outcome: 'succeeded' | 'retrying' | 'failed'
  error_class: string | null
  wait_ms: number
  run_ms: number
  started_at: string
  finished_at: string
}

const started = new WeakMap<Job, { at: Date; ms: number }>()
const waiting: JobRun[] = []
let lost = 0
let timer: ReturnType<typeof setTimeout> | undefined
let flushing: Promise<void> = Promise.resolve()

/** The tenant of a job stands in its flag. */
const organizationOf = ({ flags }: Job): string | null =>
  Object.keys(flags ?? {})
    .find((flag) => flag.startsWith('org:'))
    ?.slice(4) ?? null

function note(job: Job, error: unknown): void {
  const begun = started.get(job)
  if (!begun) return
  started.delete(job)
  if (waiting.length >= MOST_WAITING) {
    lost += 1
    return
  }
  const run_ms = Math.max(0, Math.round(monotonicMs() - begun.ms))
  const hasFailed = error !== null
  waiting.push({
    organization_id: organizationOf(job),
    job_id: job.id,
    task: job.task_identifier,
    attempt: job.attempts,
    outcome: !hasFailed ? 'succeeded' : job.attempts < job.max_attempts ? 'retrying' : 'failed',
    error_class: hasFailed ? errorClass(error) : null,
    wait_ms: Math.min(MOST_MS, Math.max(0, begun.at.getTime() - new Date(job.run_at).getTime())),
    run_ms,
    started_at: begun.at.toISOString(),
    finished_at: new Date(begun.at.getTime() + run_ms).toISOString(),
  })
  if (waiting.length >= FLUSH_ROWS) void flushJobRuns()
  else timer ??= setTimeout(flushJobRuns, FLUSH_MS)
}

/** Writes down what ran. A history with a gap is better than a worker that stops: what fails twice is let go. */
export function flushJobRuns(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  flushing = flushing.then(flush)
  return flushing
}

async function flush(): Promise<void> {
  while (waiting.length > 0) {
    const batch = waiting.splice(0, FLUSH_ROWS)
    await write(batch)
      .catch((error: unknown) => {
        log.warn({ error, runs: batch.length }, 'runs of jobs could not be recorded, and are tried once more')
        return Bun.sleep(FLUSH_MS).then(() => write(batch))
      })
      .catch((error: unknown) => {
        lost += batch.length
        log.error({ error }, 'runs of jobs could not be recorded')
      })
  }
  if (lost > 0) log.warn({ runs: lost }, 'runs of jobs have no record')
  lost = 0
}

/** Not waited for until it is on disk: the last moments before a crash of the server may be missing. */
async function write(runs: JobRun[]): Promise<void> {
  await sql`
    with fast as (select set_config('synchronous_commit', 'off', true) as setting)
    insert into ops.job_runs (
      organization_id, job_id, task, attempt, outcome, error_class, wait_ms, run_ms, worker_id, started_at, finished_at
    )
    select
      organization_id, job_id, task, attempt, outcome, error_class, wait_ms, run_ms, ${workerId}::uuid, started_at, finished_at
    from fast
    cross join jsonb_to_recordset(${sql.json(runs as unknown as Json)}) as run (
      organization_id uuid, job_id bigint, task text, attempt integer, outcome text, error_class text,
      wait_ms integer, run_ms integer, started_at timestamptz, finished_at timestamptz
    )
    where setting = 'off'
  `
}

/** Records what the pool of jobs runs from now on. */
export function recordJobRuns(events: WorkerEvents): void {
  events.on('job:start', ({ job }) => {
    started.set(job, { at: new Date(), ms: monotonicMs() })
  })
  events.on('job:success', ({ job }) => note(job, null))
  events.on('job:error', ({ job, error }) => note(job, error))
}
