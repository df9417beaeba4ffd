/** Violated constraints, and the codes of their errors. */
import { PostgresError } from './index.ts'

/** An error that a node of a cluster raised for one of several rows can have the code of an internal error; its message is that of the node. */
const INTERNAL = 'XX000'

const VIOLATIONS: [message: RegExp, code: string][] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/violates check constraint/, '23514'],
  [/violates foreign key constraint/, '23503'],
  [/violates not-null constraint/, '23502'],
]

/** What raises errors of rows that are copied to a node, in Citus. */
const COPYING = 'ReportCopyError'

const FAILURES: [message: RegExp, code: string][] = [
  [/No space left on device/, '53100'],
  [/^out of (shared )?memory/, '53200'],
  [/^database is not accepting commands/, '53000'],
  [/^(could not |invalid page)/, '58030'],
  [/ does not exist$|^permission denied/, '42000'],
  [/read-only transaction/, '25006'],
  [/^terminating connection/, '57P01'],
  [/^canceling statement/, '57014'],
  [/^deadlock detected/, '40P01'],
]
/** Any other: assumed to be raised by a trigger about a row. */
const RAISED = 'P0001'

const codeIn = (list: [RegExp, string][], message: string) => list.find(([pattern]) => pattern.test(message))?.[1]

/** The SQLSTATE of an error, also if a node of a cluster caused it. */
export function sqlState({ code, message, routine }: InstanceType<typeof PostgresError>): string {
  if (code !== INTERNAL) return code
  return codeIn(VIOLATIONS, message) ?? (routine === COPYING ? (codeIn(FAILURES, message) ?? RAISED) : code)
}

/**
 * The constraint that a statement violated; undefined if it failed for another reason. On a cluster the error comes from a shard, whose number
 * is part of the name, and only its message has the name.
 */
export function violatedConstraint(error: unknown): string | undefined {
  // Class 23: violations of constraints.
  if (!(error instanceof PostgresError) || !sqlState(error).startsWith('23')) return undefined
  const name = error.constraint_name ?? /constraint "([^"]+)"/.exec(error.message)?.[1]
  return name?.replace(/_\d{6,7}$/, '')
}
