/** Which thread an event belongs to. */
import { at } from '../event-messages/facts.ts'

const textAt = (data: unknown, path: string): string | null => {
  const value = at(data, path)
  return typeof value === 'string' ? value : null
}

/** The execution that an event is about; null if it is about something else. */
export const executionOf = (data: unknown): string | null => textAt(data, 'execution.id') ?? textAt(data, 'gate.execution_id')
