/** Structured output: converts schemas for the server, and parses answers. */

import type { Mask } from '../../core/security/masking.ts'
import type { TSchema } from '../../core/values/schema.ts'

/** Keywords that every server with structured output supports. Other constraints are only checked on the answer. */
const SUPPORTED_KEYWORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'description',
  'anyOf',
])

/** A schema for the server. */
export function wireSchema(schema: TSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => SUPPORTED_KEYWORDS.has(key))
      .map(([key, value]) => [key, wireValue(key, value)]),
  )
}

function wireValue(key: string, value: unknown): unknown {
  if (key === 'items') return wireSchema(value as TSchema)
  if (key === 'anyOf') return (value as TSchema[]).map(wireSchema)
  if (key !== 'properties') return value
  return Object.fromEntries(Object.entries(value as Record<string, TSchema>).map(([name, field]) => [name, wireSchema(field)]))
}

/**
 * Parses the JSON of an answer, which may be surrounded by text or a code fence. Strings are masked, and storable in PostgreSQL.
 *
 * @returns undefined if there is no valid JSON
 */
export function parseAnswer(text: string, mask: Mask): unknown {
  // JSON can contain U+0000 and lone surrogates, which PostgreSQL cannot store.
  const storable = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? mask(value.replaceAll('\0', '').toWellFormed()) : value
  for (const candidate of [text, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(candidate, storable)
    } catch {
      // Try the next candidate.
    }
  }
}
