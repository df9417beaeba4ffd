/** What the statements of the driver have, beside what its types say. */
import type { Statement } from '../cluster.ts'

type Rows = Record<string, unknown>[]

interface DriverStatement extends Promise<Rows> {
  handler: unknown
  canceller: unknown
}

type StatementClass = new (texts: string[], parameters: unknown[], handler: unknown, canceller: unknown) => DriverStatement

/** The organizations to which a statement is restricted; null: to those that it names. */
interface Beside {
  within: string[] | null
}

const others = new WeakMap<object, Beside>()

/** Sends another statement on the connection of one, or to its pool; after it, if it is being sent. */
export function sendBeside(statement: Statement, text: string, parameters: unknown[], within: string[] | null): Promise<Rows> {
  const { handler, canceller, constructor: Query } = statement as unknown as DriverStatement
  const other = new (Query as StatementClass)([text], [...parameters], handler, canceller)
  others.set(other, { within })
  return other
}

/** What `sendBeside` was told about a statement; undefined for others. */
export const besideOf = (statement: Statement): Beside | undefined => others.get(statement)
