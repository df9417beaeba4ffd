/** This worker process among others: its heartbeat, and what becomes of those that have none. */

import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { wakeLanes } from '../../core/jobs/lanes.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { recordLostRuns, unlockJobsOf } from './lost-jobs.ts'

const BEAT_MS = 5_000
/** Without a beat for so long a worker sends nothing more: others may soon take over what it holds. */
const FRESH_MS = 15_000
/** Without a beat for so long it is dead: what it sent last (15 s fresh, 15 s a request) is over by then. */
const DEAD_SECONDS = 35

/**
 * Without a beat for so long a worker is no use, and perhaps it is its own fault: a connection that will never answer, a
 * name that led elsewhere. Whoever runs it starts a fresh one.
 */
const LOST_MS = 3 * 60_000

/** Who owns the lanes that this process serves. */
export const workerId = crypto.randomUUID()

/** Where a pid names one process: this boot, this pid namespace. Null where the system cannot say. */
function pidSpace(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

const space = pidSpace()
let stopping = false
let left = false
let lastBeat = Number.NEGATIVE_INFINITY
let steadySince = Number.POSITIVE_INFINITY

/** Whether nothing new should be begun. */
export const isStopping = (): boolean => stopping

/** From here on what runs is finished, and nothing is begun. */
export function beginStopping(): void {
  stopping = true
}

/** Whether this process may send: its last good heartbeat is fresh. */
export const isFresh = (): boolean => monotonicMs() - lastBeat < FRESH_MS

/** Enters this process among the workers, before its first job, since jobs own lanes in its name. May be repeated. */
export async function register(): Promise<void> {
  await sql`
    insert into workers (id, hostname, pid, pid_space)
    values (${workerId}, ${hostname()}, ${process.pid}, ${space})
    on conflict (id) do update
    set seen_at = now()
  `
  lastBeat = monotonicMs()
  steadySince = lastBeat
}

/** Says under which name graphile_worker locks the jobs of this process. */
export async function registerPool(pool_id: string): Promise<void> {
  await sql`update workers set pool_id = ${pool_id} where id = ${workerId}`
}

/** Takes over at once from workers that died beside this one, as a killed process does that is started again. */
export async function takeOverFromNeighbours(): Promise<void> {
  const neighbours = await sql<{ id: string; pid: number }[]>`
    select id, pid from workers where pid_space = ${space} and id <> ${workerId}
  `
  await takeOver(neighbours.filter(({ pid }) => pid === process.pid || !isAlive(pid)).map(({ id }) => id))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Leaves: what this process still owns is free at once. */
export async function leave(): Promise<void> {
  left = true
  await takeOver([workerId])
}

/**
 * Beats for as long as the process runs.
 *
 * @param afterwards done after every good beat: the database is there
 */
export function keepBeating(afterwards: () => Promise<void>): void {
  const timer = setInterval(async () => {
    const asked = monotonicMs()
    endIfLost(asked)
    try {
      await beat(asked)
      await afterwards()
    } catch (error) {
      steadySince = Number.POSITIVE_INFINITY
      log.warn({ error }, 'the heartbeat failed')
    }
  }, BEAT_MS)
  timer.unref()
}

function endIfLost(now: number): void {
  if (now - lastBeat < LOST_MS) return
  log.fatal({ worker: workerId }, 'the database was away for 3 minutes: the worker ends, to be started anew')
  process.exit(1)
}

async function beat(asked: number): Promise<void> {
  const [alive] = await sql`update workers set seen_at = now() where id = ${workerId} returning id`
  if (left) return
  if (!alive) {
    // Others have taken over what this process believes to own. Starting anew is the one safe way on.
    log.error('this worker was taken for dead, and ends')
    process.exit(1)
  }
  lastBeat = asked
  if (steadySince === Number.POSITIVE_INFINITY) steadySince = asked
  // After an outage everybody looks dead to whoever comes back first: only who has seen the others beat, or
  // not beat, for the whole time may judge.
  if (asked - steadySince < DEAD_SECONDS * 1000) return
  const dead = await sql<{ id: string }[]>`
    select id from workers where seen_at < now() - ${DEAD_SECONDS} * interval '1 second'
  `
  await takeOver(dead.map(({ id }) => id))
}

/** Frees what dead workers held: their lanes are woken, and their jobs unlocked. */
async function takeOver(dead: string[]): Promise<void> {
  if (dead.length === 0) return
  const lanes = await transaction(async (tx) => {
    const owned = await tx<{ id: string; organization_id: string }[]>`
      update lanes
      set owner_id = null, version = version + 1
      where owner_id = any(${dead}::uuid[])
      returning id, organization_id
    `
    await recordLostRuns(tx, dead)
    const gone = await tx<{ pool_id: string | null }[]>`delete from workers where id = any(${dead}::uuid[]) returning pool_id`
    await unlockJobsOf(
      tx,
      gone.flatMap(({ pool_id }) => pool_id ?? []),
    )
    await wakeLanes(
      tx,
      owned.map(({ id }) => id),
    )
    return owned
  })
  log.info({ workers: dead, lanes: lanes.length }, 'took over from workers that ended')
}
