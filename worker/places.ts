/** The places that this worker has for jobs, and who may take the last of them: no tenant's lanes hold them all. */
import type { Job, WorkerEvents } from 'graphile-worker'
import { config } from '../core/config.ts'
import { LANE_FLAG } from '../core/jobs.ts'
import { pausedFlags } from './pauses.ts'
import { isFresh } from './process.ts'
import { tasks } from './tasks.ts'

const PLACES = config.WORKER_CONCURRENCY
/** So many are kept for tenants of whom no lane is served here. A lane may hold its place for as long as its receiver takes. */
const KEPT = Math.round(PLACES / 10)

let running = 0
/** Places that are looking for a job. */
let looking = 0
/** How many places the lanes of a tenant hold, by their flag. */
const held = new Map<string, number>()
let looked = Promise.withResolvers<void>()

function endLook(): void {
  looking -= 1
  looked.resolve()
  looked = Promise.withResolvers()
}

function count({ flags }: Job, change: 1 | -1): void {
  running += change
  for (const flag of Object.keys(flags ?? {})) {
    if (!flag.startsWith(LANE_FLAG)) continue
    const places = (held.get(flag) ?? 0) + change
    if (places > 0) held.set(flag, places)
    else held.delete(flag)
  }
}

/** Keeps account of who holds places from now on. */
export function watchPlaces(events: WorkerEvents): void {
  events.on('worker:getJob:empty', endLook)
  events.on('worker:getJob:error', endLook)
  events.on('job:start', ({ job }) => {
    endLook()
    count(job, 1)
  })
  events.on('job:complete', ({ job }) => count(job, -1))
}

const isKept = (): boolean => PLACES - running - looking <= KEPT

/** Every kind of work. */
const TASK_FLAGS = Object.keys(tasks).map((task) => `task:${task}`)

/**
 * For each look for a job: the flags of those that are not to be taken, of what is paused and of who has places already.
 *
 * A process whose heartbeat is not fresh takes nothing. Others may have taken over its lanes since, as when it was
 * suspended: it would take the jobs that wake those lanes and end them, because it believes that it serves them.
 */
export async function forbiddenFlags(): Promise<string[] | null> {
  // Whose jobs others are about to take is known when they have them.
  while (looking > 0 && isKept()) await looked.promise
  const kept = isKept() ? [...held.keys()] : []
  looking += 1
  const flags = isFresh() ? [...pausedFlags(), ...kept] : TASK_FLAGS
  // With any list, even one without flags, jobs are taken more slowly.
  return flags.length > 0 ? flags : null
}
