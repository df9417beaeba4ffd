/** What kind of error something is: under which name it may be put on record, and whose fault it is. */
import { isUnavailable } from '../../core/platform/database-errors.ts'
import { codeOf } from '../../core/platform/error-facts.ts'
import { PostgresError } from '../../sql/index.ts'

/** The kind of an error, never its message: that may hold what is nobody's business. */
export function errorClass(error: unknown): string {
  const code = codeOf(error)
  if (/^[\w.:-]{1,64}$/.test(code)) return code
  return error instanceof Error ? error.name.slice(0, 64) : 'unknown'
}

/**
 * Classes of PostgreSQL's errors that say nothing about what was to be written: connections, lost races, a server that
 * is full, goes down, only reads or breaks, and statements that do not fit its tables.
 */
const OF_THE_SERVER = /^(08|25006|28|3D|40|42|53|57P|58|XX)/

/** Errors of a driver or a system that could not reach the server. */
const isOfTheWay = (error: unknown): boolean => isUnavailable(error) || /^E[A-Z]+$/.test(codeOf(error))

/** Whether the server failed, or the way to it, so that anything else would have failed as well. */
export const isOutage = (error: unknown): boolean =>
  error instanceof PostgresError ? OF_THE_SERVER.test(codeOf(error)) : isOfTheWay(error)
