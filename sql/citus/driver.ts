/** What the statements of the driver have, in addition to what its types say. */
import type { Statement } from '../cluster.ts'
import type { Reach } from '../reach.ts'

export type Rows = Record<string, unknown>[]

interface DriverStatement extends Promise<Rows> {
  handler: unknown
  canceller: unknown
}

type StatementClass = new (
  texts: string[],
  parameters: unknown[],
  handler: unknown,
  canceller: unknown,
  options: { reach: Reach },
) => DriverStatement

/** Sends another statement on the connection of one, or to its pool; after it, if it is being sent. */
export function sendBeside(
  statement: Statement,
  text: string,
  parameters: unknown[],
  organizations: string[] | null,
): Promise<Rows> {
  const { handler, canceller, constructor: Query } = statement as unknown as DriverStatement
  return new (Query as StatementClass)([text], [...parameters], handler, canceller, { reach: { kind: 'within', organizations } })
}
