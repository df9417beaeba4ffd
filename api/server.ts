/** The web process: opens the port, and closes it again when it is told to stop. */
import { config } from '../core/config.ts'
import { sql } from '../core/database.ts'
import { log } from '../core/log.ts'
import { endReports, keepReporting } from '../core/reports.ts'
import { startTracing, stopTracing } from '../core/traces.ts'
import { app } from './app.ts'
import { endStreams } from './notifications/stream.ts'
import { startDraining } from './operations/readiness.ts'

/** Platforms kill what has not ended 30 seconds after it was told to. */
const DRAIN_MS = 25_000

await startTracing('api')
app.listen(config.PORT)
keepReporting('api', () => ({ http_server_active_requests: app.server?.pendingRequests ?? 0 }))
log.info({ port: config.PORT }, 'the API listens')

let stopping = false

async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'the API drains')
  startDraining()
  endStreams()
  await Promise.race([app.server?.stop(), Bun.sleep(DRAIN_MS)])
  // What an answer leaves behind, its log line and its span, comes a turn after the answer.
  await new Promise(setImmediate)
  await Promise.all([stopTracing(), Promise.race([endReports(), Bun.sleep(1_000)])])
  await sql.end({ timeout: 1 })
  process.exit(0)
}

process.on('SIGTERM', () => stop('SIGTERM'))
process.on('SIGINT', () => stop('SIGINT'))
