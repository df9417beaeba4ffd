/** JSON of requests. What it costs to read is limited before it is read. */
import { isWrittenNumber } from '../../core/values/exact-json.ts'
import { hasTooManyMarks, TOO_MANY_MARKS } from '../../core/values/nfc.ts'
import { escapePointer, invalidField, Problem } from '../problems.ts'

const MAX_DEPTH = 32
/** The largest body that any route accepts has about 17,000. */
const MAX_VALUES = 20_000

/** Bytes of ASCII. */
const [QUOTE, BACKSLASH, COMMA, OPEN_BRACKET, OPEN_BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** At most how many values JSON contains. Empty lists and objects count twice. */
function countValues(bytes: Uint8Array): number {
  let count = 1
  let isQuoted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isQuoted) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isQuoted = false
    } else if (byte === QUOTE) isQuoted = true
    else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) count += 1
  }
  return count
}

/**
 * Parses a body.
 *
 * @throws Problem if it is not JSON in UTF-8, or has too many values
 */
export function parseJson(bytes: Uint8Array): unknown {
  // Every value but the first takes two bytes at least.
  if (bytes.length > 2 * MAX_VALUES && countValues(bytes) > MAX_VALUES)
    throw new Problem('too_many_values', `The body must not contain more than ${MAX_VALUES} fields and items.`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('malformed_encoding', 'The body is not valid UTF-8.')
  }
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message would quote the body, which may contain a password.
    throw new Problem('malformed_json', 'The body is not valid JSON. Check its quotes, commas and brackets.')
  }
}

/** @throws Problem `validation_failed` if a text cannot be stored, or is too expensive to normalize */
export function requireText(text: string, pointer: string): void {
  const refuse = (detail: string): Problem => invalidField(pointer, 'forbidden_character', detail)
  if (text.includes('\0')) throw refuse('must not contain U+0000')
  if (!text.isWellFormed()) throw refuse('must not contain an unpaired surrogate')
  if (hasTooManyMarks(text)) throw refuse(TOO_MANY_MARKS)
}

/**
 * Normalizes all strings of a JSON value to Unicode NFC.
 *
 * @throws Problem if it is nested too deep, or contains a string that is refused
 */
export function normalized(value: unknown, pointer = '', depth = 0): unknown {
  if (typeof value === 'string') {
    requireText(value, pointer)
    return value.normalize('NFC')
  }
  if (value === null || typeof value !== 'object' || isWrittenNumber(value)) return value
  if (depth === MAX_DEPTH) throw new Problem('nested_too_deep', `The body is nested more than ${MAX_DEPTH} levels deep.`)
  if (Array.isArray(value)) return value.map((item, index) => normalized(item, `${pointer}/${index}`, depth + 1))
  const fields = new Map<string, unknown>()
  for (const [key, item] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(key)}`
    const name = normalized(key, at, depth) as string
    if (fields.has(name))
      throw invalidField(at, 'duplicate_field', 'duplicates another field: both names are equal in Unicode NFC')
    fields.set(name, normalized(item, at, depth + 1))
  }
  return Object.fromEntries(fields)
}
