/** Answers in JSON: the schema as it is sent, and the text as it comes back. */

import type { TSchema } from '../../core/values/schema.ts'
import type { Mask } from '../outbound/masking.ts'

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
 * The JSON that an answer is, or that it wraps in words or a block of code; its texts can be stored.
 *
 * @param mask takes secrets out of its texts
 * @returns undefined where there is none
 */
export function parseAnswer(text: string, mask: Mask): unknown {
  // PostgreSQL holds neither U+0000 nor half of a surrogate pair; JSON can spell both.
  const storable = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? mask(value.replaceAll('\0', '').toWellFormed()) : value
  for (const candidate of [text, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(candidate, storable)
    } catch {
      // The next reading of it.
    }
  }
}
