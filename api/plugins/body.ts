/** Reads request bodies. Problems are stored in the context and thrown after the access checks (`access.ts`). */
import { Elysia } from 'elysia'
import { escapePointer, invalidField, Problem } from '../problems.ts'
import type { Documented } from './operation.ts'
import { contextOf } from './request-context.ts'

export const MAX_BODY_BYTES = 1_048_576
const MAX_DEPTH = 32

/**
 * Normalizes all strings of a JSON value to Unicode NFC.
 *
 * @throws Problem if it is nested too deep, or a string contains what PostgreSQL cannot store
 */
export function normalized(value: unknown, pointer: string, depth: number): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidField(pointer, 'forbidden_character', 'must not contain U+0000')
    if (!value.isWellFormed()) throw invalidField(pointer, 'forbidden_character', 'must not contain an unpaired surrogate')
    return value.normalize('NFC')
  }
  if (value === null || typeof value !== 'object') return value
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

function parse(bytes: Uint8Array): unknown {
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

/**
 * Reads a body of at most `MAX_BODY_BYTES`.
 *
 * @returns null if the body is larger
 * @throws Problem `incomplete_body` if the connection ends before the end of the body
 */
async function readBytes(request: Request): Promise<Uint8Array | null> {
  try {
    return await readLimited(request)
  } catch {
    throw new Problem('incomplete_body', 'The connection ended before the whole body was received. Send the request again.')
  }
}

async function readLimited(request: Request): Promise<Uint8Array | null> {
  const contentLength = request.headers.get('content-length')
  if (Number(contentLength ?? 0) > MAX_BODY_BYTES) return null
  // The server reads no more than Content-Length, and this is much cheaper than a stream for small bodies.
  if (contentLength !== null && !request.headers.has('transfer-encoding')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

const isJson = (type: string | null): boolean => /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type ?? '')

const tooLarge = () => new Problem('body_too_large', `The body must not be larger than ${MAX_BODY_BYTES} bytes.`)

/** The media types that a route accepts as a raw body; undefined for a route that takes JSON. */
export type RawBodyTypes = (method: string, route: string) => string[] | undefined

/** Collects the raw body types of all routes. */
export function rawBodyTypes(routes: { method: string; path: string; hooks: { detail?: object } }[]): RawBodyTypes {
  const byRoute = new Map<string, string[]>()
  for (const { method, path, hooks } of routes) {
    const types = (hooks.detail as Partial<Documented> | undefined)?.['x-consumes']
    if (types) byRoute.set(`${method} ${path}`, types)
  }
  return (method, route) => byRoute.get(`${method} ${route}`)
}

/** Reads a body without parsing it. */
async function readRaw(request: Request, types: string[]): Promise<void> {
  const context = contextOf(request)
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!types.includes(type)) {
    const accepted = types.join(', ')
    throw new Problem('unsupported_media_type', `The Content-Type must be one of: ${accepted}.`, undefined, { Accept: accepted })
  }
  const bytes = await readBytes(request)
  if (!bytes) throw tooLarge()
  context.bytes = bytes
  context.mediaType = type
}

async function readJson(request: Request): Promise<unknown> {
  const context = contextOf(request)
  const bytes = await readBytes(request)
  if (bytes && bytes.length === 0) return {}
  if (!isJson(request.headers.get('content-type'))) {
    throw new Problem('unsupported_media_type', 'The Content-Type must be application/json.', undefined, {
      Accept: 'application/json',
    })
  }
  if (!bytes) throw tooLarge()
  context.bytes = bytes
  return normalized(parse(bytes), '', 0)
}

/** @param typesOf the raw body types of a route */
export const body = (typesOf: RawBodyTypes) =>
  new Elysia({ name: 'body' }).onParse({ as: 'global' }, async ({ request, route }) => {
    try {
      const types = typesOf(request.method, route)
      if (!types) return await readJson(request)
      await readRaw(request, types)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      contextOf(request).bodyProblem = error
    }
    return {}
  })
