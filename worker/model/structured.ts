/** Answers in JSON: the schema as it is sent, and the text as it comes back. */
import type { TSchema } from '../../core/schema.ts'

/** What every server with structured outputs takes; limits are checked here, on the answer. */
const SENT = new Set(['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description', 'anyOf'])

/** A schema as it is sent. */
export function wireSchema(schema: TSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => SENT.has(key))
      .map(([key, value]) => [key, wired(key, value)]),
  )
}

function wired(key: string, value: unknown): unknown {
  if (key === 'items') return wireSchema(value as TSchema)
  if (key === 'anyOf') return (value as TSchema[]).map(wireSchema)
  if (key !== 'properties') return value
  return Object.fromEntries(Object.entries(value as Record<string, TSchema>).map(([name, field]) => [name, wireSchema(field)]))
}

/**
 * The JSON that an answer is, or that it wraps in words or a block of code.
 *
 * @returns undefined where there is none
 */
export function parseAnswer(text: string): unknown {
  for (const candidate of [text, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(candidate)
    } catch {
      // The next reading of it.
    }
  }
}
