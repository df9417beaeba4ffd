/** Errors: the code under which they are recorded, whether the database caused them, and work that is retried after them. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { endedSession, isUnavailable } from '../../core/platform/database-errors.ts'
import { codeOf } from '../../core/platform/error-fields.ts'
import { log } from '../../core/platform/log.ts'
import { PostgresError } from '../../sql/index.ts'

/** The code or name of an error. Never its message, which may contain tenant data. */
export function errorClass(error: unknown): string {
  const code = codeOf(error)
  if (/^[\w.:-]{1,64}$/.test(code)) return code
  return error instanceof Error ? error.name.slice(0, 64) : 'unknown'
}

/**
 * Classes of PostgreSQL errors that do not depend on the data: connection, authorization, unknown database, serialization
 * failure, syntax or missing table, insufficient resources, shutdown, read-only server, system and internal errors.
 */
const SERVER_ERROR = /^(08|25006|28|3D|40|42|53|57P|58|XX)/

/** Errors of the driver or the operating system if the server cannot be reached. */
const isConnectionError = (error: unknown): boolean => isUnavailable(error) || /^E[A-Z]+$/.test(codeOf(error))

/** Whether the server or the connection to it failed, so that any other statement would have failed as well. */
export const isOutage = (error: unknown): boolean =>
  error instanceof PostgresError ? endedSession(error) || SERVER_ERROR.test(codeOf(error)) : isConnectionError(error)

/** Whether a statement waited too long for a lock that another session holds. */
export const isLockTimeout = (error: unknown): boolean => error instanceof PostgresError && error.code === '55P03'

/**
 * Retries until the work succeeds. If this process gave up a lane without releasing it, no worker would serve the lane until
 * the process ends.
 */
export async function retryUntilDone<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      warn(what, error, tries)
      await Bun.sleep(Math.min(100 * 2 ** tries, 2_000))
    }
  }
}

/** In an outage, all lanes of a process fail at once and again. */
const WARN_EVERY_MS = 30_000
const warnedAt = new Map<string, number>()

function warn(what: string, error: unknown, tries: number): void {
  const now = monotonicMs()
  if (now - (warnedAt.get(what) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_MS) return
  warnedAt.set(what, now)
  log.warn({ error, tries }, `${what} failed; retrying`)
}
