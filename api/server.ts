/** The web process: serves the API, and shuts down gracefully on SIGTERM and SIGINT. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { monotonicMs } from '../core/platform/clock.ts'
import { config } from '../core/platform/config.ts'
import { sql } from '../core/platform/database.ts'
import { waitForDatabase } from '../core/platform/database-check.ts'
import { codeOf, messageOf } from '../core/platform/error-fields.ts'
import { log } from '../core/platform/log.ts'
import { startMetricReports, stopMetricReports } from '../core/platform/metric-reports.ts'
import { startTracing, stopTracing } from '../core/platform/traces.ts'
import { changesAnnounced } from '../core/tenants/changes.ts'
import { app } from './app.ts'
import { endStreams } from './plugins/event-streams.ts'
import { startShutdown } from './plugins/request-lifecycle.ts'
import { endWaits } from './plugins/waiting.ts'

/** Platforms kill a process 30 seconds after SIGTERM. */
const SHUTDOWN_MS = 25_000
const POLL_INTERVAL_MS = 20

const LOOPBACK = /^(127\.|::1$|localhost$)/

/** Exits if the port is taken. It is never shared: two processes would each receive a part of the requests. */
function listen(): void {
  const { PORT, HOST } = config
  try {
    app.listen({ port: PORT, ...(HOST === undefined ? {} : { hostname: HOST }), reusePort: false })
  } catch (error) {
    const code = codeOf(error)
    const setting = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : messageOf(error)
    log.fatal({ setting, code }, `The API cannot listen on port ${PORT}: ${reason}. Set ${setting} to another value.`)
    process.exit(1)
  }
}

await startTracing('api')
listen()
startMetricReports('api', () => ({ http_server_active_requests: app.server?.pendingRequests ?? 0 }))
log.info({ port: config.PORT, host: config.HOST }, 'API listening')
if (!config.PUBLIC_URL_IS_SET && !LOOPBACK.test(config.HOST ?? '')) {
  log.warn({ setting: 'PUBLIC_URL' }, `PUBLIC_URL is not set: links in mails and messages point to ${config.PUBLIC_URL}.`)
}
void waitForDatabase()

let stopping = false

/** Waits for requests in progress. The port stays open, so that new requests get a 503 instead of a refused connection. */
async function waitForRequests(): Promise<void> {
  const until = monotonicMs() + SHUTDOWN_MS
  while ((app.server?.pendingRequests ?? 0) > 0 && monotonicMs() < until) await Bun.sleep(POLL_INTERVAL_MS)
}

async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'API shutting down')
  startShutdown()
  endStreams()
  endWaits()
  await waitForRequests()
  // The log line and the span of a request are written one event-loop turn after its response.
  await nextTurn()
  await Promise.all([stopTracing(), Promise.race([Promise.all([stopMetricReports(), changesAnnounced()]), Bun.sleep(1_000)])])
  await sql.end({ timeout: 1 })
  process.exit(0)
}

process.on('SIGTERM', () => stop('SIGTERM'))
process.on('SIGINT', () => stop('SIGINT'))
