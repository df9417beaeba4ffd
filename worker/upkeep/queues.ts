/** Queues of jobs that are run one after another: one a tenant and task, and nothing takes them away with their last job. */
import { makeWorkerUtils } from 'graphile-worker'
import { config } from '../../core/config.ts'

/** Takes away the queues without a job. */
export async function collectQueues(): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: config.DATABASE_URL, maxPoolSize: 1 })
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] })
  } finally {
    await utils.release()
  }
}
