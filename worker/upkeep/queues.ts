/** Removes empty job queues. There is one per tenant and serial task, and graphile-worker does not remove them with their last job. */
import { makeWorkerUtils } from 'graphile-worker'
import { directDatabase } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { openJobPool } from '../../sql/job-pool.ts'

/** Removes the queues without jobs. */
export async function collectQueues(): Promise<void> {
  const pgPool = openJobPool(directDatabase, 'signalbox upkeep', 1, (error) =>
    log.warn({ error }, 'the connection of the upkeep job failed'),
  )
  const utils = await makeWorkerUtils({ pgPool })
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] })
  } finally {
    await utils.release()
    await pgPool.end()
  }
}
