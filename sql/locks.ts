/** Locks that a release needs while the previous version still runs. */
import type { Sql, Tx } from './index.ts'

/**
 * How long a release waits for a lock before it rolls back and retries. At first half of PostgreSQL's `deadlock_timeout`: if
 * another session waits for the release and holds what the release needs, that session continues before PostgreSQL detects a
 * deadlock and aborts one of the two. Later long enough for PostgreSQL to cancel an autovacuum that holds the lock.
 */
const SHORT_TIMEOUT = '500ms'
export const LONG_TIMEOUT = '5s'
const SHORT_TRIES = 10
const TRIES = 13
const PAUSE_MS = 100

/** SQLSTATE of a lock timeout, and of a deadlock. */
const LOCK_ERRORS = new Set<unknown>(['55P03', '40P01'])

/** Retries a step of the release for about 20 seconds while others hold locks that it needs. */
export async function retryLocked<T>(step: (lockTimeout: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await step(tries <= SHORT_TRIES ? SHORT_TIMEOUT : LONG_TIMEOUT)
    } catch (error) {
      if (tries === TRIES || !(error instanceof Error && 'code' in error && LOCK_ERRORS.has(error.code))) throw error
      await Bun.sleep(PAUSE_MS * (1 + Math.random()))
    }
  }
}

/** Runs a transaction of the release, which is retried if the previous version holds its locks. */
export const retryLockedTransaction = (sql: Sql, run: (tx: Tx) => Promise<void>): Promise<void> =>
  retryLocked(async (lockTimeout) => {
    await sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${lockTimeout}, true)`
      await run(tx)
    })
  })
