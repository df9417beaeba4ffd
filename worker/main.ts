/** The worker process: drains the outbox, delivers to hooks and channels, and runs jobs. Several can share one database. */
import { EventEmitter } from 'node:events'
import { Logger, run, type WorkerEvents } from 'graphile-worker'
import { config } from '../core/platform/config.ts'
import { directDatabase, sql } from '../core/platform/database.ts'
import { waitForDatabase } from '../core/platform/database-check.ts'
import { log } from '../core/platform/log.ts'
import { startMetricReports, stopMetricReports } from '../core/platform/metric-reports.ts'
import { startTracing, stopTracing } from '../core/platform/traces.ts'
import { changesAnnounced } from '../core/tenants/changes.ts'
import { openJobPool } from '../sql/job-pool.ts'
import { makePartitions } from '../sql/partitions.ts'
import { delivery, drain } from './fan-out.ts'
import { listenToOutbox } from './outbox/drain.ts'
import {
  beginStopping,
  hasRecentHeartbeat,
  register,
  registerPool,
  releaseEndedLocalWorkers,
  startHeartbeat,
  unregister,
  workerId,
} from './process/heartbeat.ts'
import { flushJobRuns, instrument, recordJobRuns } from './process/job-runs.ts'
import { unlockAfterOutage, watchFailedFetches } from './process/lost-jobs.ts'
import { watchDeadRows } from './process/pace.ts'
import { pausedFlags, readPauses, watchPauses } from './process/pauses.ts'
import { startSweeps } from './process/sweeper.ts'
import { SWEEPS } from './sweeps.ts'
import { crontab, TASKS } from './tasks.ts'

/** Platforms kill a process 30 seconds after SIGTERM; a request takes 15 at most. */
const SHUTDOWN_MS = 24_000

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

const events: WorkerEvents = new EventEmitter()
const workerPoolId = new Promise<string>((resolve) => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))

// At least two: graphile-worker keeps one connection for LISTEN.
const jobPool = openJobPool(directDatabase, 'signalbox jobs', Math.max(2, config.WORKER_CONCURRENCY), (error) => {
  log.warn({ error }, 'a connection of the job queue failed')
})

watchFailedFetches(events)
recordJobRuns(events)
await startTracing('worker')
// Until the database is available there is nothing to finish. As pid 1 of a container, the process must handle the signals.
process.on('SIGTERM', exit)
process.on('SIGINT', exit)
await waitForDatabase(async () => {
  await register()
  await readPauses()
})
// The daily job creates them too, but it may not have run for longer than they reach. Until then, the default partitions are used.
void makePartitions(sql).catch((error) => log.warn({ error }, 'could not create partitions in advance'))

const TASK_FLAGS = Object.keys(TASKS).map((task) => `task:${task}`)

/**
 * The flags of jobs that must not be taken, read each time graphile-worker looks for a job.
 *
 * A process without a fresh heartbeat, for example after it was suspended, takes no jobs: other workers may have released its
 * lanes, and it would end the jobs that wake them, because it assumes that it still serves them.
 */
function forbiddenFlags(): string[] | null {
  const flags = hasRecentHeartbeat() ? [...pausedFlags(), ...delivery.flagsToSkipWhenFull()] : TASK_FLAGS
  // Null instead of an empty list: with any list, graphile-worker takes jobs more slowly.
  return flags.length > 0 ? flags : null
}

const runner = await run({
  pgPool: jobPool,
  concurrency: config.WORKER_CONCURRENCY,
  taskList: instrument(TASKS),
  crontab,
  events,
  forbiddenFlags,
  // New jobs are announced by NOTIFY; jobs with a later `run_at` are found by polling.
  pollInterval: 500,
  // The handler below is idempotent: platforms may send the signal more than once.
  noHandleSignals: true,
  gracefulShutdownAbortTimeout: SHUTDOWN_MS - 3_000,
  logger: new Logger((scope) => (level, message, meta) => log[levels[level]]({ ...scope, meta }, message)),
  preset: {
    worker: {
      // With a delay, a job that ends while the pool stops is never completed, and runs again hours later.
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
}).catch((error: unknown) => {
  log.fatal({ error }, 'could not start the job queue')
  process.exit(1)
})

const poolId = await workerPoolId
await registerPool(poolId)
startMetricReports('worker')
startHeartbeat(async () => {
  await unlockAfterOutage(poolId)
  await delivery.serveUnnoticed()
})
await releaseEndedLocalWorkers()
watchPauses()
watchDeadRows()
listenToOutbox(drain)
await startSweeps(SWEEPS)
log.info({ worker: workerId, concurrency: config.WORKER_CONCURRENCY }, 'worker started')

function exit(): void {
  process.exit(0)
}

let stopping = false

/** Runs a step of the shutdown, and continues after `ms` milliseconds even if it has not finished. */
async function atMost(ms: number, step: () => Promise<unknown>): Promise<void> {
  const failed = (error: unknown) => log.warn({ error }, 'a step of the shutdown failed')
  await Promise.race([step().catch(failed), Bun.sleep(ms)])
}

async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'worker stopping; finishing running work')
  beginStopping()
  await atMost(SHUTDOWN_MS, () =>
    runner
      .stop()
      .then(() => drain.done())
      .then(() => delivery.done())
      .then(flushJobRuns),
  )
  // If this fails, other workers release its lanes and jobs within a minute.
  await atMost(2_000, unregister)
  await atMost(2_000, () => Promise.all([jobPool.end(), stopTracing(), stopMetricReports(), changesAnnounced()]))
  await sql.end({ timeout: 1 })
  process.exit(0)
}

process.off('SIGTERM', exit)
process.off('SIGINT', exit)
process.on('SIGTERM', () => stop('SIGTERM'))
process.on('SIGINT', () => stop('SIGINT'))

// If the job runner ends unexpectedly, the process exits and the platform starts a new one.
runner.promise.then(
  () => stop('job runner ended'),
  (error) => {
    log.error({ error }, 'the job runner failed')
    process.exit(1)
  },
)
