/** Metrics, log line and span of every job, and its record in `ops.job_runs`, written in batches. */
import type { Job, JobHelpers, Task, TaskList, WorkerEvents } from 'graphile-worker'
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { jobRuns, jobWaits } from '../../core/platform/metrics.ts'
import { beginSpan, type Span, traceIds } from '../../core/platform/traces.ts'
import type { Json } from '../../sql/index.ts'
import { errorClass } from './errors.ts'
import { workerId } from './heartbeat.ts'

function report({ job }: JobHelpers, span: Span | null, start: number, outcome: string): void {
  const ms = Math.round((monotonicMs() - start) * 10) / 10
  jobRuns.observe([job.task_identifier, outcome], ms / 1000)
  span?.end({ error: outcome === 'succeeded' ? null : outcome })
  const level = outcome === 'succeeded' ? 'debug' : 'warn'
  if (!log.isLevelEnabled(level)) return
  const { id, task_identifier: task, attempts: attempt } = job
  log[level]({ ...traceIds(span), job: id, task, organization: organizationOf(job) ?? undefined, attempt, ms, outcome }, 'job')
}

const instrumentTask =
  (task: Task): Task =>
  async (payload, helpers) => {
    const { job } = helpers
    const span = beginSpan(`job ${job.task_identifier}`, 'consumer', null, {
      'messaging.system': 'graphile_worker',
      'messaging.destination.name': job.task_identifier,
      'messaging.message.id': job.id,
      'signalbox.organization_id': organizationOf(job),
    })
    const start = monotonicMs()
    // The clock of the database may be ahead of this one.
    jobWaits.observe([job.task_identifier], Math.max(0, (Date.now() - new Date(job.run_at).getTime()) / 1000))
    try {
      const result = await task(payload, helpers)
      report(helpers, span, start, 'succeeded')
      return result
    } catch (error) {
      report(helpers, span, start, job.attempts >= job.max_attempts ? 'failed' : 'retry')
      throw error
    }
  }

export const instrument = (tasks: Record<string, Task>): TaskList =>
  Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, instrumentTask(task)]))

const FLUSH_MS = 250
const FLUSH_ROWS = 1_000
/** How many runs are kept in memory while the database is unavailable. More are dropped; the jobs themselves are not affected. */
const MAX_PENDING = 20_000
/** The maximum of an integer column: 24 days. */
const MAX_MS = 2 ** 31 - 1

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
const pending: JobRun[] = []
let dropped = 0
let timer: ReturnType<typeof setTimeout> | undefined
let flushing: Promise<void> = Promise.resolve()

/** The organization that a job belongs to, from its flag `org:<id>`. */
const organizationOf = ({ flags }: Pick<Job, 'flags'>): string | null =>
  Object.keys(flags ?? {})
    .find((flag) => flag.startsWith('org:'))
    ?.slice(4) ?? null

function addRun(job: Job, error: unknown): void {
  const start = started.get(job)
  if (!start) return
  started.delete(job)
  if (pending.length >= MAX_PENDING) {
    dropped += 1
    return
  }
  const run_ms = Math.max(0, Math.round(monotonicMs() - start.ms))
  const hasFailed = error !== null
  pending.push({
    organization_id: organizationOf(job),
    job_id: job.id,
    task: job.task_identifier,
    attempt: job.attempts,
    outcome: !hasFailed ? 'succeeded' : job.attempts < job.max_attempts ? 'retrying' : 'failed',
    error_class: hasFailed ? errorClass(error) : null,
    wait_ms: Math.min(MAX_MS, Math.max(0, start.at.getTime() - new Date(job.run_at).getTime())),
    run_ms,
    started_at: start.at.toISOString(),
    finished_at: new Date(start.at.getTime() + run_ms).toISOString(),
  })
  if (pending.length >= FLUSH_ROWS) void flushJobRuns()
  else timer ??= setTimeout(flushJobRuns, FLUSH_MS)
}

/** Writes all pending runs. A batch that fails twice is dropped: a gap in the history is better than a blocked worker. */
export function flushJobRuns(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  flushing = flushing.then(flush)
  return flushing
}

async function flush(): Promise<void> {
  while (pending.length > 0) {
    const batch = pending.splice(0, FLUSH_ROWS)
    await write(batch)
      .catch((error: unknown) => {
        log.warn({ error, runs: batch.length }, 'could not record job runs; retrying once')
        return Bun.sleep(FLUSH_MS).then(() => write(batch))
      })
      .catch((error: unknown) => {
        dropped += batch.length
        log.error({ error }, 'could not record job runs')
      })
  }
  if (dropped > 0) log.warn({ runs: dropped }, 'job runs were dropped without a record')
  dropped = 0
}

/** Without a synchronous commit: a crash of the server may lose the last few runs. */
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

export function recordJobRuns(events: WorkerEvents): void {
  events.on('job:start', ({ job }) => {
    started.set(job, { at: new Date(), ms: monotonicMs() })
  })
  events.on('job:success', ({ job }) => addRun(job, null))
  events.on('job:error', ({ job, error }) => addRun(job, error))
}
