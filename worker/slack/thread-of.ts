/** Which thread an event belongs to. */

/** What a thread is about: an execution, or a gate that has none. */
export interface Topic {
  type: 'execution' | 'gate'
  id: string
}

/** The thread of a gate. */
export const topicOfGate = ({ id, execution_id }: { id: string; execution_id: string | null }): Topic =>
  execution_id === null ? { type: 'gate', id } : { type: 'execution', id: execution_id }

/** The thread of an event; null if it is about something else. */
export function topicOf(data: Record<string, unknown>): Topic | null {
  const { execution, gate } = data as {
    execution?: { id?: unknown } | null
    gate?: { id?: unknown; execution_id?: unknown } | null
  }
  const id = execution?.id ?? gate?.execution_id
  if (typeof id === 'string') return { type: 'execution', id }
  return gate?.execution_id === null && typeof gate.id === 'string' ? { type: 'gate', id: gate.id } : null
}
