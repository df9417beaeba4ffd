/** The pool of the job queue, whose driver is another than ours: it reaches the same server in the same way. */
import pg from 'pg'
import type { Target } from './target.ts'

/**
 * Opens a pool for graphile-worker. Who opened it ends it.
 *
 * @param max connections at the most
 * @param onError told of connections that broke; those in use fail by themselves
 */
export function openJobPool({ url, ssl }: Target, name: string, max: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    ssl,
    max,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    maxLifetimeSeconds: 300,
    // Jobs are taken and ticked off without waiting for the disk. What a crash of the server takes back is a job that
    // runs again, and all of them may; it was a third of the time from a commit to its dispatch.
    options: '-c synchronous_commit=off',
  })
  // Without somebody who listens, a connection that is cut ends the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}
