/** The web process: opens the port, and closes it again when it is told to stop. */
import { monotonicMs } from '../core/platform/clock.ts'
import { config } from '../core/platform/config.ts'
import { sql } from '../core/platform/database.ts'
import { waitForDatabase } from '../core/platform/database-check.ts'
import { codeOf, messageOf } from '../core/platform/error-facts.ts'
import { log } from '../core/platform/log.ts'
import { endReports, keepReporting } from '../core/platform/metric-reports.ts'
import { startTracing, stopTracing } from '../core/platform/traces.ts'
import { app } from './app.ts'
import { endStreams } from './notifications/stream.ts'
import { startDraining } from './plugins/draining.ts'

/** Platforms kill what has not ended 30 seconds after it was told to. */
const DRAIN_MS = 25_000
const LOOK_EVERY_MS = 20

const LOOPBACK = /^(127\.|::1$|localhost$)/

/** Ends the process where the port cannot be had: two processes that share one would each get a part of the requests. */
function listen(): void {
  const { PORT, HOST } = config
  try {
    app.listen({ port: PORT, ...(HOST === undefined ? {} : { hostname: HOST }), reusePort: false })
  } catch (error) {
    const code = codeOf(error)
    const setting = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'
    const reason = code === 'EADDRINUSE' ? 'it is taken' : messageOf(error)
    log.fatal({ setting, code }, `The API cannot listen on port ${PORT}: ${reason}. Set ${setting} to another value.`)
    process.exit(1)
  }
}

await startTracing('api')
listen()
keepReporting('api', () => ({ http_server_active_requests: app.server?.pendingRequests ?? 0 }))
log.info({ port: config.PORT, host: config.HOST }, 'the API listens')
if (!config.PUBLIC_URL_IS_SET && !LOOPBACK.test(config.HOST ?? '')) {
  log.warn({ setting: 'PUBLIC_URL' }, `PUBLIC_URL is not set: links in mails and messages lead to ${config.PUBLIC_URL}.`)
}
void waitForDatabase()

let stopping = false

/** New requests are answered meanwhile, so the port stays open. */
async function requestsEnd(): Promise<void> {
  const until = monotonicMs() + DRAIN_MS
  while ((app.server?.pendingRequests ?? 0) > 0 && monotonicMs() < until) await Bun.sleep(LOOK_EVERY_MS)
}

async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'the API drains')
  startDraining()
  endStreams()
  await requestsEnd()
  // What an answer leaves behind, its log line and its span, comes a turn after the answer.
  await new Promise(setImmediate)
  await Promise.all([stopTracing(), Promise.race([endReports(), Bun.sleep(1_000)])])
  await sql.end({ timeout: 1 })
  process.exit(0)
}

process.on('SIGTERM', () => stop('SIGTERM'))
process.on('SIGINT', () => stop('SIGINT'))
