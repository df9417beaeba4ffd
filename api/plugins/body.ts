/**
 * Reads request bodies, and limits what reading one may cost before it is parsed. Problems are stored in the context and thrown after the
 * access checks (`access.ts`).
 */
import { Elysia } from 'elysia'
import { isObject, isWrittenNumber } from '../../core/values/json.ts'
import { hasTooManyMarks, TOO_MANY_MARKS } from '../../core/values/plain-text.ts'
import { escapePointer, invalidField, Problem } from '../problems.ts'
import type { DeclarationOf } from './declarations.ts'
import { contextOf } from './request-context.ts'

export const MAX_BODY_BYTES = 1_048_576
export const UPLOAD = 'multipart/form-data'

/** Several times the largest form: a comment of 10,000 characters, percent-encoded. Forms cost several times as much as JSON to read. */
const MAX_FORM_BYTES = 262_144

/** @returns null if the body is larger @throws Problem `incomplete_body` if the connection ends before the end of the body */
async function readBytes(request: Request, most: number): Promise<Uint8Array | null> {
  try {
    return await readLimited(request, most)
  } catch {
    throw new Problem('incomplete_body', 'The connection ended before the whole body was received. Send the request again.')
  }
}

async function readLimited(request: Request, most: number): Promise<Uint8Array | null> {
  const contentLength = request.headers.get('content-length')
  if (Number(contentLength ?? 0) > most) return null
  // The server reads no more than Content-Length, and this is much cheaper than a stream for small bodies.
  if (contentLength !== null && !request.headers.has('transfer-encoding')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > most) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

export const FORM = 'application/x-www-form-urlencoded'

const isJson = (type: string | null): boolean => /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type ?? '')

const tooLarge = (most: number) => new Problem('body_too_large', `The body must not be larger than ${most} bytes.`)

async function readRaw(request: Request, types: string[], maxBytes?: number): Promise<void> {
  const context = contextOf(request)
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!types.includes(type)) {
    const accepted = types.join(', ')
    throw new Problem('unsupported_media_type', `The Content-Type must be one of: ${accepted}.`, undefined, { Accept: accepted })
  }
  const most = maxBytes ?? (type === FORM ? MAX_FORM_BYTES : MAX_BODY_BYTES)
  const bytes = await readBytes(request, most)
  if (!bytes) throw tooLarge(most)
  context.bytes = bytes
  context.mediaType = type
}

async function readJson(request: Request, maxValues = MAX_VALUES): Promise<unknown> {
  const context = contextOf(request)
  const bytes = await readBytes(request, MAX_BODY_BYTES)
  if (bytes && bytes.length === 0) return {}
  if (!isJson(request.headers.get('content-type'))) {
    throw new Problem('unsupported_media_type', 'The Content-Type must be application/json.', undefined, {
      Accept: 'application/json',
    })
  }
  if (!bytes) throw tooLarge(MAX_BODY_BYTES)
  context.bytes = bytes
  return normalized(parseJson(bytes, maxValues))
}

const withoutEmpty = (fields: Record<string, unknown>): unknown =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

/**
 * Reads what scripts of CI systems send: a form, or JSON whatever its media type is called, as that of `curl -d`. A field with an empty
 * text is left out, since it comes from a variable that is not set.
 *
 * @param objects fields which in a form are JSON
 */
async function readFields(request: Request, objects: string[]): Promise<unknown> {
  const context = contextOf(request)
  const type = request.headers.get('content-type') ?? ''
  const isForm = [FORM, UPLOAD].includes(type.split(';')[0]?.trim().toLowerCase() ?? '')
  const most = isForm ? MAX_FORM_BYTES : MAX_BODY_BYTES
  const bytes = await readBytes(request, most)
  if (!bytes) throw tooLarge(most)
  context.bytes = bytes
  if (bytes.length === 0) return {}
  if (!isForm || bytes.find((byte) => byte > SPACE) === OPEN_BRACE) {
    const parsed = normalized(parseJson(bytes, MAX_VALUES))
    return isObject(parsed) ? withoutEmpty(parsed) : parsed
  }
  const form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => {
      throw new Problem('malformed_encoding', 'The body is not a valid form.')
    })
  const fields = [...new Set(form.keys())].map((name): [string, unknown] => {
    const [value, ...others] = form.getAll(name)
    if (others.length > 0) throw invalidField(`/${escapePointer(name)}`, 'duplicate', 'must be given once')
    const isObject = typeof value === 'string' && value.startsWith('{') && objects.includes(name)
    return [name, isObject ? parseJson(Buffer.from(value), MAX_VALUES) : value]
  })
  return withoutEmpty(normalized(Object.fromEntries(fields)) as Record<string, unknown>)
}

export const body = (declarationOf: DeclarationOf) =>
  new Elysia({ name: 'body' }).onParse({ as: 'global' }, async ({ request, route }) => {
    try {
      const { consumes, maxBytes, maxValues, takesForms } = declarationOf(request.method, route) ?? {}
      if (takesForms) return await readFields(request, takesForms)
      if (!consumes) return await readJson(request, maxValues)
      await readRaw(request, consumes, maxBytes)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      contextOf(request).bodyProblem = error
    }
    return {}
  })

const MAX_DEPTH = 32
/** The largest body that any route accepts has about 17,000. */
const MAX_VALUES = 20_000

const [SPACE, QUOTE, BACKSLASH, COMMA, OPEN_BRACKET, OPEN_BRACE] = [0x20, 0x22, 0x5c, 0x2c, 0x5b, 0x7b]

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

/** Parses a body. @throws Problem if it is not JSON in UTF-8, or has too many values */
function parseJson(bytes: Uint8Array, maxValues: number): unknown {
  // Every value but the first takes two bytes at least.
  if (bytes.length > 2 * maxValues && countValues(bytes) > maxValues)
    throw new Problem('too_many_values', `The body must not contain more than ${maxValues} fields and items.`)
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

/** Normalizes all strings of a JSON value to NFC. @throws Problem if it is nested too deep, or a string is refused */
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
