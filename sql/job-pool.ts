/** The connection pool of graphile-worker. It uses another driver (pg), configured for the same server and settings. */
import pg from 'pg'
import { asOptions, sessionSettings } from './session.ts'
import { type DatabaseTarget, sessionName } from './target.ts'

/** Migrations of the queue may take long. */
const LIMITS = { statement_timeout: '0', idle_in_transaction_session_timeout: '30000' }

/**
 * Opens a pool for graphile-worker. The caller ends it.
 *
 * @param max maximum number of connections
 * @param onError called when a connection breaks; a query in progress on it fails separately
 * @param settings of PostgreSQL, for its sessions
 */
export function openJobPool(
  target: DatabaseTarget,
  name: string,
  max: number,
  onError: (error: Error) => void,
  settings: Record<string, string> = {},
): pg.Pool {
  const { host, port, user, password, database, ssl, sslnegotiation, connect_timeout, keep_alive, options } = target
  const pool = new pg.Pool({
    host,
    port,
    user,
    password,
    database,
    // A copy, which the driver changes.
    ssl: ssl && { ...ssl },
    sslnegotiation,
    max,
    application_name: sessionName(name, target),
    connectionTimeoutMillis: connect_timeout * 1000,
    keepAlive: keep_alive > 0,
    keepAliveInitialDelayMillis: keep_alive * 1000,
    maxLifetimeSeconds: 300,
    // Jobs are locked and completed without waiting for the disk, which was a third of the time from a commit to its dispatch. If
    // the server crashes, some jobs run again, which is safe for all of them.
    options: `${options} ${asOptions({ ...sessionSettings(false), ...LIMITS, synchronous_commit: 'off', ...settings })}`.trim(),
  })
  // Without a listener, a broken connection would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}
