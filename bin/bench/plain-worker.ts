/** The baseline of dispatches, as a process: plain graphile-worker jobs that send one request each and record nothing. */
import { Logger, run } from 'graphile-worker'

await run({
  connectionString: process.env.DATABASE_URL,
  concurrency: 24,
  maxPoolSize: 24,
  // The settings of graphile-worker's own benchmark: jobs are fetched and completed in batches.
  preset: { worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  logger: new Logger(() => (level, message) => level === 'error' && console.error(message)),
  taskList: {
    plain_fetch: async (payload, { job }) => {
      const { url, body } = payload as { url: string; body: string }
      const headers = { 'Content-Type': 'application/json', 'X-Signalbox-Delivery': job.id }
      const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(15_000) })
      await response.text()
      if (!response.ok) throw new Error(`answered ${response.status}`)
    },
  },
})
console.log('ready')
