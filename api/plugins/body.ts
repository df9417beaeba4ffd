/** Reads bodies. What is wrong with one is kept, not thrown: a stranger must learn nothing from it. */
import { Elysia } from 'elysia'
import { invalidField, Problem } from '../problems.ts'
import type { Documented } from './operation.ts'
import { contextOf } from './request-context.ts'

export const MAX_BODY_BYTES = 1_048_576
const MAX_DEPTH = 32

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * The same value with its text in NFC.
 *
 * @throws Problem where it is too deep, or a text holds what PostgreSQL cannot
 */
function normalised(value: unknown, pointer: string, depth: number): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidField(pointer, 'forbidden_character', 'must not hold U+0000')
    if (!value.isWellFormed()) throw invalidField(pointer, 'forbidden_character', 'must not hold an unpaired surrogate')
    return value.normalize('NFC')
  }
  if (value === null || typeof value !== 'object') return value
  if (depth === MAX_DEPTH) throw new Problem('nested_too_deep', `The body is nested more than ${MAX_DEPTH} deep.`)
  if (Array.isArray(value)) return value.map((item, index) => normalised(item, `${pointer}/${index}`, depth + 1))
  const fields = new Map<string, unknown>()
  for (const [key, item] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(key)}`
    const name = normalised(key, at, depth) as string
    if (fields.has(name)) throw invalidField(at, 'duplicate_field', 'is the same as another field once both are in Unicode NFC')
    fields.set(name, normalised(item, at, depth + 1))
  }
  return Object.fromEntries(fields)
}

function parse(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('malformed_encoding', 'The body is not UTF-8.')
  }
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the body, and so perhaps a password.
    throw new Problem('malformed_json', 'The body is not valid JSON. Check its quotes, commas and brackets.')
  }
}

/**
 * Reads no more than is allowed, however much is sent.
 *
 * @returns null where there is more
 * @throws Problem `incomplete_body` where the client stops sending before the end
 */
async function bounded(request: Request): Promise<Uint8Array | null> {
  try {
    return await receive(request)
  } catch {
    throw new Problem('incomplete_body', 'The connection ended before the whole body had arrived. Send the request again.')
  }
}

async function receive(request: Request): Promise<Uint8Array | null> {
  const announced = request.headers.get('content-length')
  if (Number(announced ?? 0) > MAX_BODY_BYTES) return null
  // More than was announced is no part of the body; a stream would cost more than all else about a small one.
  if (announced !== null && !request.headers.has('transfer-encoding')) return new Uint8Array(await request.arrayBuffer())
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

const tooLarge = () => new Problem('body_too_large', `A body may have ${MAX_BODY_BYTES} bytes.`)

/** Media types of a body that a route takes as it is; undefined for one that takes JSON. */
export type TypesTaken = (method: string, route: string) => string[] | undefined

/** Finds them among all routes of an application. */
export function typesTaken(routes: { method: string; path: string; hooks: { detail?: object } }[]): TypesTaken {
  const taken = new Map<string, string[]>()
  for (const { method, path, hooks } of routes) {
    const types = (hooks.detail as Partial<Documented> | undefined)?.['x-takes']
    if (types) taken.set(`${method} ${path}`, types)
  }
  return (method, route) => taken.get(`${method} ${route}`)
}

/** Keeps a body as it is. */
async function keep(request: Request, types: string[]): Promise<void> {
  const context = contextOf(request)
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!types.includes(type)) {
    const accepted = types.join(', ')
    throw new Problem('unsupported_media_type', `Send the body as ${accepted}.`, undefined, { Accept: accepted })
  }
  const bytes = await bounded(request)
  if (!bytes) throw tooLarge()
  context.bytes = bytes
  context.media_type = type
}

async function read(request: Request): Promise<unknown> {
  const context = contextOf(request)
  const bytes = await bounded(request)
  if (bytes && bytes.length === 0) return {}
  if (!isJson(request.headers.get('content-type'))) {
    throw new Problem('unsupported_media_type', 'Send the body as application/json.', undefined, { Accept: 'application/json' })
  }
  if (!bytes) throw tooLarge()
  context.bytes = bytes
  return normalised(parse(bytes), '', 0)
}

/** @param taken asked for every body */
export const body = (taken: TypesTaken) =>
  new Elysia({ name: 'body' }).onParse({ as: 'global' }, async ({ request, route }) => {
    try {
      const types = taken(request.method, route)
      if (!types) return await read(request)
      await keep(request, types)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      contextOf(request).fault = error
    }
    return {}
  })
