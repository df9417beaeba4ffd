/** Reads request bodies. Problems are stored in the context and thrown after the access checks (`access.ts`). */
import { Elysia } from 'elysia'
import { Problem } from '../problems.ts'
import { normalized, parseJson } from './json.ts'
import type { Documented } from './operation.ts'
import { contextOf } from './request-context.ts'

const MAX_BODY_BYTES = 1_048_576
/** Several times the largest form: a comment of 10,000 characters, percent-encoded. Forms cost several times as much as JSON to read. */
const MAX_FORM_BYTES = 262_144

/**
 * Reads a body.
 *
 * @param most how many bytes it may have
 * @returns null if the body is larger
 * @throws Problem `incomplete_body` if the connection ends before the end of the body
 */
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

/** The media type of the forms of pages. */
export const FORM = 'application/x-www-form-urlencoded'

const isJson = (type: string | null): boolean => /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type ?? '')

const tooLarge = (most: number) => new Problem('body_too_large', `The body must not be larger than ${most} bytes.`)

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
  const most = type === FORM ? MAX_FORM_BYTES : MAX_BODY_BYTES
  const bytes = await readBytes(request, most)
  if (!bytes) throw tooLarge(most)
  context.bytes = bytes
  context.mediaType = type
}

async function readJson(request: Request): Promise<unknown> {
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
  return normalized(parseJson(bytes))
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
