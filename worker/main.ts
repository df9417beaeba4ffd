/** The worker process: drains the outbox, dispatches, mails. Any number of them share one database. */
import { EventEmitter } from 'node:events'
import { Logger, run, type WorkerEvents } from 'graphile-worker'
import { config } from '../core/platform/config.ts'
import { directDatabase, sql } from '../core/platform/database.ts'
import { waitForDatabase } from '../core/platform/database-check.ts'
import { log } from '../core/platform/log.ts'
import { endReports, keepReporting } from '../core/platform/metric-reports.ts'
import { startTracing, stopTracing } from '../core/platform/traces.ts'
import { openJobPool } from '../sql/job-pool.ts'
import { makePartitions } from '../sql/partitions.ts'
import { sealAuditLogs } from './audit-logs/seal.ts'
import { deliveriesDone, flagsOfFullTenants, serveForgotten } from './delivery/serve.ts'
import { listenToOutbox } from './outbox/listen.ts'
import { pollOutbox } from './outbox/poll.ts'
import {
  beginStopping,
  isFresh,
  keepBeating,
  leave,
  register,
  registerPool,
  takeOverFromNeighbours,
  workerId,
} from './process/heartbeat.ts'
import { flushJobRuns, recordJobRuns } from './process/job-runs.ts'
import { measured } from './process/measured.ts'
import { unlockAfterOutage, watchFailedFetches } from './process/outage.ts'
import { pausedFlags, readPauses, watchPauses } from './process/pauses.ts'
import { endSilentSessions } from './process/silent-sessions.ts'
import { sweepStranded } from './process/stranded.ts'
import { watchRuntimes } from './runtimes/mark-offline.ts'
import { crontab, tasks } from './tasks.ts'

/** Platforms kill what has not ended 30 seconds after it was told to; requests take 15 at the most. */
const DRAIN_MS = 24_000

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

const events: WorkerEvents = new EventEmitter()
const pool = new Promise<string>((resolve) => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))

// One connection is taken for listening, also where there is room for one job alone.
const jobPool = openJobPool(directDatabase, 'signalbox jobs', Math.max(2, config.WORKER_CONCURRENCY), (error) => {
  log.warn({ error }, 'a connection of the job queue broke')
})

watchFailedFetches(events)
recordJobRuns(events)
await startTracing('worker')
// While it waits there is nothing to finish, and the first process of a container has to end itself.
process.on('SIGTERM', endAtOnce)
process.on('SIGINT', endAtOnce)
await waitForDatabase(async () => {
  await register()
  await readPauses()
})
// A release that lies back further than its partitions reach; what is written before goes to the default ones.
void makePartitions(sql).catch((error) => log.warn({ error }, 'partitions could not be made ahead'))

const TASK_FLAGS = Object.keys(tasks).map((task) => `task:${task}`)

/**
 * For each look for a job: the flags of those that are not to be taken.
 *
 * A process whose heartbeat is not fresh takes nothing. Others may have taken over its lanes since, as when it was
 * suspended: it would take the jobs that wake those lanes and end them, because it believes that it serves them.
 */
function forbiddenFlags(): string[] | null {
  const flags = isFresh() ? [...pausedFlags(), ...flagsOfFullTenants()] : TASK_FLAGS
  // With any list, even an empty one, jobs are taken more slowly.
  return flags.length > 0 ? flags : null
}

const runner = await run({
  pgPool: jobPool,
  concurrency: config.WORKER_CONCURRENCY,
  taskList: measured(tasks),
  crontab,
  events,
  forbiddenFlags,
  // What is woken comes by NOTIFY; this is how late a retry may be.
  pollInterval: 500,
  // One idempotent handler below: platforms send the signal more than once.
  noHandleSignals: true,
  gracefulShutdownAbortTimeout: DRAIN_MS - 3_000,
  logger: new Logger((scope) => (level, message, meta) => log[levels[level]]({ ...scope, meta }, message)),
  preset: {
    worker: {
      // Without these a job that ends while the pool stops is never marked as done, and runs again hours later.
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
}).catch((error: unknown) => {
  log.fatal({ error }, 'the job queue could not be started')
  process.exit(1)
})

const poolId = await pool
await registerPool(poolId)
keepReporting('worker')
keepBeating(async () => {
  await unlockAfterOutage(poolId)
  await serveForgotten()
})
await takeOverFromNeighbours()
watchPauses()
listenToOutbox()
pollOutbox()
watchRuntimes()
endSilentSessions()
sealAuditLogs()
sweepStranded()
log.info({ worker: workerId, concurrency: config.WORKER_CONCURRENCY }, 'the worker works')

function endAtOnce(): void {
  process.exit(0)
}

let stopping = false

/** A step of the end, which the next one does not wait for any longer than this. */
async function atMost(ms: number, step: () => Promise<unknown>): Promise<void> {
  const failed = (error: unknown) => log.warn({ error }, 'something could not be done before the end')
  await Promise.race([step().catch(failed), Bun.sleep(ms)])
}

async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'the worker finishes what it has begun')
  beginStopping()
  await atMost(DRAIN_MS, () => runner.stop().then(deliveriesDone).then(flushJobRuns))
  // What cannot be given back now, others take over within a minute.
  await atMost(2_000, leave)
  await atMost(2_000, () => Promise.all([jobPool.end(), stopTracing(), endReports()]))
  await sql.end({ timeout: 1 })
  process.exit(0)
}

process.off('SIGTERM', endAtOnce)
process.off('SIGINT', endAtOnce)
process.on('SIGTERM', () => stop('SIGTERM'))
process.on('SIGINT', () => stop('SIGINT'))

// The pool gave up on its own: the platform starts a fresh process.
runner.promise.then(
  () => stop('end of the pool'),
  (error) => {
    log.error({ error }, 'the pool of jobs broke')
    process.exit(1)
  },
)
