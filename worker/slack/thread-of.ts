/** Which thread an event belongs to. */

/** The execution that an event is about; null if it is about something else. */
export function executionOf(data: Record<string, unknown>): string | null {
  const { execution, gate } = data as { execution?: { id?: unknown } | null; gate?: { execution_id?: unknown } | null }
  const id = execution?.id ?? gate?.execution_id
  return typeof id === 'string' ? id : null
}
