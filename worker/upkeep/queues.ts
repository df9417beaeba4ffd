/** Queues of jobs that are run one after another: one a tenant and task, and nothing takes them away with their last job. */
import { makeWorkerUtils } from 'graphile-worker'
import { directDatabase } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { openJobPool } from '../../sql/job-pool.ts'

/** Takes away the queues without a job. */
export async function collectQueues(): Promise<void> {
  const pgPool = openJobPool(directDatabase, 'signalbox upkeep', 1, (error) =>
    log.warn({ error }, 'the connection of upkeep broke'),
  )
  const utils = await makeWorkerUtils({ pgPool })
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] })
  } finally {
    await utils.release()
    await pgPool.end()
  }
}
