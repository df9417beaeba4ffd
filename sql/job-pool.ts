/** The pool of the job queue, whose driver is another than ours: it reaches the same server in the same way. */
import pg from 'pg'
import { asOptions, sessionSettings } from './session.ts'
import type { Target } from './target.ts'

/** Migrations of the queue take as long as they take. */
const LIMITS = { statement_timeout: '0', idle_in_transaction_session_timeout: '30000' }

/**
 * Opens a pool for graphile-worker. Who opened it ends it.
 *
 * @param max connections at the most
 * @param onError told of connections that broke; those in use fail by themselves
 * @param settings of PostgreSQL, for its sessions
 */
export function openJobPool(
  { url, ssl }: Target,
  name: string,
  max: number,
  onError: (error: Error) => void,
  settings: Record<string, string> = {},
): pg.Pool {
  // What the URL says wins over what is given beside it, so its options are taken out and put before ours.
  const plain = new URL(url)
  const given = plain.searchParams.get('options') ?? ''
  plain.searchParams.delete('options')
  const pool = new pg.Pool({
    connectionString: plain.href,
    ssl,
    max,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    maxLifetimeSeconds: 300,
    // Jobs are taken and ticked off without waiting for the disk. What a crash of the server takes back is a job that
    // runs again, and all of them may; it was a third of the time from a commit to its dispatch.
    options: `${given} ${asOptions({ ...sessionSettings(false), ...LIMITS, synchronous_commit: 'off', ...settings })}`.trim(),
  })
  // Without somebody who listens, a connection that is cut ends the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}
