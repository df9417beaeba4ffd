/** Unlocks jobs that this process locked without noticing, because the connection broke while it fetched a job. */

import type { WorkerEvents } from 'graphile-worker'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { unlockJobsOf } from './lost-jobs.ts'

let mayHoldUnknownJobs = false

/** Notes failed fetches: the job may be locked although its data did not arrive. */
export function watchFailedFetches(events: WorkerEvents): void {
  events.on('worker:getJob:error', () => {
    mayHoldUnknownJobs = true
  })
}

/**
 * Unlocks all jobs of this process once the database is available again. A job that is running may then run a second time,
 * which every job allows. Otherwise a job that was locked without notice would wait for four hours.
 */
export async function unlockAfterOutage(pool_id: string): Promise<void> {
  if (!mayHoldUnknownJobs) return
  mayHoldUnknownJobs = false
  try {
    await unlockJobsOf(sql, [pool_id])
  } catch (error) {
    mayHoldUnknownJobs = true
    throw error
  }
  log.info('database available again; unlocked the jobs of this worker')
}
