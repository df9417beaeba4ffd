/** The heartbeat of this worker process, and the release of lanes and jobs of workers that have ended. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { wakeLanes } from '../../core/delivery/lanes.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { recordLostRuns, unlockJobsOf } from './lost-jobs.ts'

const INTERVAL_MS = 5_000
/** A worker without a heartbeat for this long sends nothing more: its lanes may soon be released. The database has both (`process_status`). */
const FRESH_MS = 15_000
/** A worker without a heartbeat for this long counts as dead: its last request (15 s fresh plus 15 s timeout) is over. */
const DEAD_SECONDS = 35

/**
 * A worker without a heartbeat for this long exits, so that the platform starts a new process. The cause may be in the process:
 * a connection that never answers, or an outdated DNS result.
 */
const MAX_OUTAGE_MS = 3 * 60_000

/** The id of this process in `workers`, and in `owner_id` of the lanes that it serves. */
export const workerId = crypto.randomUUID()

/** The scope in which a pid is unique: boot and pid namespace. Null on systems without /proc. */
function pidSpace(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

const space = pidSpace()
let stopping = false
let isUnregistered = false
let lastHeartbeat = Number.NEGATIVE_INFINITY
/** The same by the wall clock. */
let lastHeartbeatAt = Number.NEGATIVE_INFINITY
let connectedSince = Number.POSITIVE_INFINITY

export const isStopping = (): boolean => stopping

/** From now on, running work is finished and no new work is started; another worker sweeps. */
export function beginStopping(): void {
  stopping = true
  sql`update workers set stopping = true where id = ${workerId}`.catch((error) =>
    log.warn({ error }, 'could not hand over the sweeps'),
  )
}

/** Whether the last heartbeat is recent enough to send requests. While a machine is suspended, only its wall clock goes on. */
export const hasRecentHeartbeat = (): boolean =>
  monotonicMs() - lastHeartbeat < FRESH_MS && Date.now() - lastHeartbeatAt < FRESH_MS

/** Registers this process in `workers`. Must run before its first job, because lanes refer to the row. May be repeated. */
export async function register(): Promise<void> {
  await sql`
    insert into workers (id, hostname, pid, pid_space)
    values (${workerId}, ${hostname()}, ${process.pid}, ${space})
    on conflict (id) do update
    set seen_at = now()
  `
  lastHeartbeat = monotonicMs()
  lastHeartbeatAt = Date.now()
  connectedSince = lastHeartbeat
}

/** Records the pool id under which graphile-worker locks the jobs of this process. */
export async function registerPool(pool_id: string): Promise<void> {
  await sql`update workers set pool_id = ${pool_id} where id = ${workerId}`
}

/** Releases the lanes and jobs of workers of this machine whose process has ended, without waiting until they count as dead: for quick restarts. */
export async function releaseEndedLocalWorkers(): Promise<void> {
  const neighbors = await sql<{ id: string; pid: number }[]>`
    select id, pid from workers where pid_space = ${space} and id <> ${workerId}
  `
  await releaseWorkers(neighbors.filter(({ pid }) => pid === process.pid || !isAlive(pid)).map(({ id }) => id))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

export async function unregister(): Promise<void> {
  isUnregistered = true
  await releaseWorkers([workerId])
}

/** Sends heartbeats until the process ends. @param afterwards runs after every successful heartbeat */
export function startHeartbeat(afterwards: () => Promise<void>): void {
  const timer = setInterval(async () => {
    const sentAt = monotonicMs()
    exitIfDatabaseLost(sentAt)
    try {
      await sendHeartbeat(sentAt)
      await afterwards()
    } catch (error) {
      connectedSince = Number.POSITIVE_INFINITY
      log.warn({ error }, 'heartbeat failed')
    }
  }, INTERVAL_MS)
  timer.unref()
}

function exitIfDatabaseLost(now: number): void {
  if (now - lastHeartbeat < MAX_OUTAGE_MS) return
  log.fatal({ worker: workerId }, 'database unreachable for 3 minutes; exiting so that the worker is restarted')
  process.exit(1)
}

async function sendHeartbeat(sentAt: number): Promise<void> {
  const [registered] = await sql`update workers set seen_at = now() where id = ${workerId} returning id`
  if (isUnregistered) return
  if (!registered) {
    // Other workers may serve the lanes of this process by now. Only a restart is safe.
    log.error('another worker declared this worker dead; exiting')
    process.exit(1)
  }
  lastHeartbeat = sentAt
  lastHeartbeatAt = Date.now() - (monotonicMs() - sentAt)
  if (connectedSince === Number.POSITIVE_INFINITY) connectedSince = sentAt
  // After an outage, all workers look dead to the first one that reconnects. A worker may declare others dead only if it was
  // itself connected for the whole period.
  if (sentAt - connectedSince < DEAD_SECONDS * 1000) return
  const dead = await sql<{ id: string }[]>`
    select id from workers where process_status(seen_at) = 'dead'
  `
  await releaseWorkers(dead.map(({ id }) => id))
}

/** Releases the lanes and unlocks the jobs of workers, and deletes their registration. */
export async function releaseWorkers(worker_ids: string[]): Promise<void> {
  if (worker_ids.length === 0) return
  const served = await acrossTenants(
    sql<{ organization_id: string }[]>`select distinct organization_id from lanes where owner_id = any(${worker_ids}::uuid[])`,
    'partly',
  )
  const lanes = await transaction(async (tx) => {
    const owned = await tx<{ id: string; organization_id: string }[]>`
      update lanes
      set owner_id = null, version = version + 1
      where owner_id = any(${worker_ids}::uuid[])
        and organization_id = any(${served.map(({ organization_id }) => organization_id)}::uuid[])
      returning id, organization_id
    `
    await recordLostRuns(tx, worker_ids)
    const gone = await tx<{ pool_id: string | null }[]>`
      delete from workers where id = any(${worker_ids}::uuid[]) returning pool_id
    `
    const pool_ids = gone.flatMap(({ pool_id }) => pool_id ?? [])
    await unlockJobsOf(tx, pool_ids)
    await wakeLanes(tx, owned)
    return owned
  })
  log.info({ workers: worker_ids, lanes: lanes.length }, 'released the lanes and jobs of ended workers')
}
