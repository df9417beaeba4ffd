/** What the statements of the driver have, beside what its types say. */
import type { Statement } from '../cluster.ts'

type Rows = Record<string, unknown>[]

interface DriverStatement extends Promise<Rows> {
  handler: unknown
  canceller: unknown
}

type StatementClass = new (texts: string[], parameters: unknown[], handler: unknown, canceller: unknown) => DriverStatement

const restrictions = new WeakMap<object, string[]>()

/**
 * Sends another statement on the connection of one, or to its pool; after it, if it is being sent.
 *
 * @param within restricts it to these organizations
 */
export function sendBeside(statement: Statement, text: string, parameters: unknown[], within?: string[]): Promise<Rows> {
  const { handler, canceller, constructor: Query } = statement as unknown as DriverStatement
  const other = new (Query as StatementClass)([text], [...parameters], handler, canceller)
  if (within) restrictions.set(other, within)
  return other
}

/** The organizations to which `sendBeside` has restricted a statement. */
export const restrictionOf = (statement: Statement): string[] | null => restrictions.get(statement) ?? null
