/** Locks that a release needs while the version before still runs. */
import type { Sql, Tx } from './index.ts'

/**
 * How long a release waits for a lock before it gives way. Half of PostgreSQL's `deadlock_timeout` at first: a session that
 * waits for the release, and holds what the release waits for, goes on before PostgreSQL ends one of the two. Then long
 * enough for PostgreSQL to interrupt an autovacuum that is in the way.
 */
const BRIEFLY = '500ms'
export const PATIENTLY = '5s'
const BRIEF_TRIES = 10
const TRIES = 13
const PAUSE_MS = 100

/** The codes of PostgreSQL for a lock that was not granted in time, and for a deadlock. */
const LOCKED = new Set<unknown>(['55P03', '40P01'])

/** Does a step of the release again for as long as others hold locks that it needs: about 20 seconds. */
export async function retryLocked<T>(step: (lockTimeout: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await step(tries <= BRIEF_TRIES ? BRIEFLY : PATIENTLY)
    } catch (error) {
      if (tries === TRIES || !(error instanceof Error && 'code' in error && LOCKED.has(error.code))) throw error
      await Bun.sleep(PAUSE_MS * (1 + Math.random()))
    }
  }
}

/** Runs a transaction of the release that gives way to the version before, and is then run again. */
export const givingWay = (sql: Sql, run: (tx: Tx) => Promise<void>): Promise<void> =>
  retryLocked(async (lockTimeout) => {
    await sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${lockTimeout}, true)`
      await run(tx)
    })
  })
