/** Errors as one PostgreSQL raises them: of those that a node raised, Citus passes on the message without the fields. */
import { PostgresError } from '../index.ts'

/** The code of an error that a node raised for one of several rows. */
const INTERNAL = 'XX000'

const RECOGNIZED: [message: RegExp, code: string][] = [
  // To a node that has restarted since it was used.
  [/^failure on connection marked as essential/, '08006'],
  // Its move to another node ended between planning and running the statement: the same statement succeeds when it is sent again.
  [/^could not find valid entry for shard/, '40001'],
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

function codeOf({ code, message, routine }: InstanceType<typeof PostgresError>): string {
  if (code !== INTERNAL) return code
  return codeIn(RECOGNIZED, message) ?? (routine === COPYING ? (codeIn(FAILURES, message) ?? RAISED) : code)
}

/** Gives an error of the server its code, and the constraint without the number of the shard. */
export function restoreFields(error: unknown): void {
  if (!(error instanceof PostgresError)) return
  error.code = codeOf(error)
  // Class 23: violations of constraints.
  if (!error.code.startsWith('23')) return
  const name = error.constraint_name ?? /constraint "([^"]+)"/.exec(error.message)?.[1]
  error.constraint_name = name?.replace(/_\d{6,7}$/, '')
}

/** Class 08: the coordinator could not connect to a node. */
export const isNodeAway = (error: unknown): boolean => error instanceof PostgresError && error.code.startsWith('08')
