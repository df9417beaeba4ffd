/** What an outage of the database leaves behind in graphile_worker: jobs that are locked although nobody runs them. */
import type { WorkerEvents } from 'graphile-worker'
import { sql } from '../core/database.ts'
import { unlockWorkers } from '../core/jobs.ts'
import { log } from '../core/log.ts'

let doubtful = false

/** Notes that an answer to "which job is next" did not come: the job may have been taken all the same. */
export function watchForDoubt(events: WorkerEvents): void {
  events.on('worker:getJob:error', () => {
    doubtful = true
  })
}

/**
 * Unlocks the jobs of this process once the database is back. What runs at this moment may be run a second time,
 * as all jobs may; nothing else would free a lost one before four hours are over.
 */
export async function settleDoubt(pool_id: string): Promise<void> {
  if (!doubtful) return
  doubtful = false
  try {
    await unlockWorkers(sql, [pool_id])
  } catch (error) {
    doubtful = true
    throw error
  }
  log.info('the database is back, and jobs that were locked for nobody are free again')
}
