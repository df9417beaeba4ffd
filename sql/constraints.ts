/** Violated constraints, and the codes of their errors. */
import { PostgresError } from './index.ts'

/** An error of several rows that a node of a cluster refused has the code of an internal error; its message is that of the node. */
const INTERNAL = 'XX000'

const VIOLATIONS: [message: RegExp, code: string][] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/violates check constraint/, '23514'],
  [/violates foreign key constraint/, '23503'],
  [/violates not-null constraint/, '23502'],
]

/** The SQLSTATE of an error, also if a node of a cluster caused it. */
export const sqlState = ({ code, message }: InstanceType<typeof PostgresError>): string =>
  code === INTERNAL ? (VIOLATIONS.find(([pattern]) => pattern.test(message))?.[1] ?? code) : code

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
