/** The description of an event, and how it is built. */
import type { Facts } from './facts.ts'

export type Severity = 'info' | 'good' | 'warning' | 'bad'

/** The description of an event. `title` is fixed text; all other fields may contain user-supplied names. */
export interface EventDescription {
  title: string
  /** The subject of the event, for a subject line. */
  subject: string | null
  sentence: string
  severity: Severity
  facts: [name: string, value: string | null][]
  /** User-supplied text, such as a comment or an error. */
  quote: string | null
  /** Whether it asks for a decision, for which people need the acceptance criteria. */
  asks: boolean
  /** What to do next; null if there is nothing to do. */
  next: string | null
  /** Messages with the same value belong to one conversation. */
  thread: string | null
}

export type Describe = (facts: Facts) => EventDescription

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const describe = (
  title: string,
  severity: Severity,
  sentence: string,
  rest: Partial<EventDescription> = {},
): EventDescription => ({
  title,
  severity,
  sentence: capital(sentence),
  subject: null,
  facts: [],
  quote: null,
  asks: false,
  next: null,
  thread: null,
  ...rest,
})

export const threadOf = (execution_id: string | null): string | null => execution_id && `execution-${execution_id}`
