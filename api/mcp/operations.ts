/**
 * The operations of the API that tools call. A call is a request that this process makes of itself with the token of the caller, so
 * that tools have no access, check or limit of their own.
 */
import type { TSchema } from '../../core/values/schema.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { OperationOptions } from '../plugins/declarations.ts'
import { cursorIn } from '../plugins/lists.ts'
import { contextOf, createInnerContext } from '../plugins/request-context.ts'
import type { NeededScopes } from '../plugins/scopes.ts'
import { invalidField, Problem, type ProblemDocument } from '../problems.ts'
import { recordActivity } from './activity.ts'

export type Arguments = Record<string, unknown>

interface Detail {
  'x-operation'?: Partial<OperationOptions>
  'x-access'?: { scopes?: NeededScopes }
}

interface Api {
  routes: { method: string; path: string; hooks: { detail?: Detail } }[]
  handle: (request: Request) => Promise<Response>
}

export interface Operation {
  method: string
  path: string
  inPath: string[]
  about: OperationOptions
  scopes: NeededScopes
}

let handle: Api['handle'] = () => Promise.reject(new Error('The API is not connected'))
const operations = new Map<string, Operation>()

/** Connects the tools to the API, once all of its routes are registered. */
export function connectTools(api: Api): void {
  handle = (request) => api.handle(request)
  for (const { method, path, hooks } of api.routes) {
    const { 'x-operation': about, 'x-access': access } = hooks.detail ?? {}
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    if (about?.id)
      operations.set(about.id, { method, path, inPath, about: about as OperationOptions, scopes: access?.scopes ?? null })
  }
}

export function operationOf(id: string): Operation {
  const operation = operations.get(id)
  if (!operation) throw new Error(`No route has the operationId ${id}`)
  return operation
}

export function responseOf({ about }: Operation): TSchema {
  const schema = Object.values(about.responses)[0]
  if (!schema) throw new Error(`${about.id} returns nothing`)
  return schema
}

/** The arguments of an operation that are not in its path: fields of its body, or query parameters. */
export const fieldsOf = ({ about }: Operation): TSchema | undefined => about.body ?? about.query

export type Outcome =
  /** `next` is the cursor of the next part of a list; null if there is none. */
  { ok: true; body: unknown; next?: string | null } | { ok: false; problem: ProblemDocument; retryAfter: string | null }

interface CallOptions {
  idempotencyKey?: unknown
  /** Seconds to wait for the end of what the operation is about. */
  wait?: number | undefined
}

/** More characters than any parameter of a path or query can have. */
const MAX_LENGTH = 1_000

/** A part of a path or query. @throws Problem `validation_failed` */
function plain(name: string, value: unknown): string {
  if (value === undefined) throw invalidField(`/${name}`, 'required', 'is required')
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw invalidField(`/${name}`, 'wrong_type', 'must be a string, a number or a boolean')
  const text = String(value)
  // Otherwise a URL of a megabyte would be made of it, which holds up other requests.
  if (text.length > MAX_LENGTH) throw invalidField(`/${name}`, 'too_long', `must not have more than ${MAX_LENGTH} characters`)
  return text
}

/** A part of a path: always an id. A URL would leave out others, such as `..`. @throws Problem `validation_failed` */
function idOf(name: string, value: unknown): string {
  const id = plain(name, value)
  if (isUuid(id)) return id
  throw invalidField(`/${name}`, 'malformed', 'must be a UUID')
}

function queryOf(args: Arguments): string {
  const given = Object.entries(args).map(([name, value]) => [name, plain(name, value)])
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function headersOf(outer: Request, { idempotencyKey, wait }: CallOptions): Record<string, string> {
  const key = idempotencyKey === undefined ? null : plain('idempotency_key', idempotencyKey)
  // Other characters cannot be sent in a header at all.
  if (key !== null && !/^[!-~]+(?: [!-~]+)*$/.test(key))
    throw invalidField('/idempotency_key', 'malformed', 'must be 1 to 255 visible ASCII characters')
  return {
    Authorization: outer.headers.get('authorization') ?? '',
    'Content-Type': 'application/json',
    ...(key === null ? {} : { 'Idempotency-Key': `"${key.replaceAll(/["\\]/g, '\\$&')}"` }),
    ...(wait === undefined ? {} : { Prefer: `wait=${wait}` }),
  }
}

/** Calls an operation with the token of a request. @throws Problem `validation_failed` if the arguments make no request */
export async function callOperation(
  outer: Request,
  operation: Operation,
  args: Arguments,
  options: CallOptions = {},
): Promise<Outcome> {
  const { method, path, inPath } = operation
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !inPath.includes(name)))
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => idOf(name, args[name]))
  const isReading = method === 'GET'
  const inner = new Request(`http://localhost${filled}${isReading ? queryOf(rest) : ''}`, {
    method,
    headers: headersOf(outer, options),
    // A call that waits ends with the client.
    ...(options.wait === undefined ? {} : { signal: outer.signal }),
    ...(isReading ? {} : { body: JSON.stringify(rest) }),
  })
  const [context, own] = [contextOf(outer), createInnerContext(inner, contextOf(outer), 'mcp')]
  const response = await handle(inner)
  for (const name of ['RateLimit', 'RateLimit-Policy']) if (own.headers[name]) context.headers[name] = own.headers[name]
  if (response.ok && own.resource) recordActivity('call', own.resource.organization_id, [own.resource])
  const body: unknown = own.result ?? JSON.parse((await response.text()) || 'null')
  if (response.ok) return { ok: true, body, next: cursorIn(own.headers.Link) }
  return { ok: false, problem: body as ProblemDocument, retryAfter: response.headers.get('retry-after') }
}

/** A refusal of arguments, as an operation would answer it. @throws other errors */
export function refused(error: unknown): Outcome {
  if (!(error instanceof Problem)) throw error
  const { code, status, detail, errors = [] } = error
  return { ok: false, problem: { type: '', title: '', status, detail, code, request_id: '', errors }, retryAfter: null }
}
