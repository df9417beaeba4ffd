/** Unlocks jobs that this process locked without knowing, when the database went away while it fetched the next job. */

import type { WorkerEvents } from 'graphile-worker'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { unlockJobsOf } from './lost-jobs.ts'

let mayHoldUnknownJobs = false

/** Notes fetches of a job whose answer did not arrive: the job may be locked all the same. */
export function watchFailedFetches(events: WorkerEvents): void {
  events.on('worker:getJob:error', () => {
    mayHoldUnknownJobs = true
  })
}

/**
 * Unlocks the jobs of this process once the database is back. A job that is running may then run a second time, which every
 * job must allow; without this a job that was locked unknowingly would wait for four hours.
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
  log.info('the database is back; jobs that may have been locked without an answer are unlocked')
}
