/** Responses: JSON with entity tags, problems as in RFC 9457, and security headers. */
import { Elysia } from 'elysia'
import { PROBLEMS, Problem } from '../problems.ts'
import { type DeclarationOf, isSingle } from './declarations.ts'
import { jsonBody, jsonOf } from './long-lists.ts'
import { contextOf, pathOf, type RequestContext } from './request-context.ts'
import { queryOf } from './validation.ts'

// As recommended by OWASP's REST security cheat sheet.
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Permissions-Policy': 'interest-cohort=()',
}

/** The result of a request, before it becomes a `Response`. It can be stored and replayed. */
export interface Outcome {
  status: number
  location?: string | null
  /** JSON; empty for a response without a body. */
  text: string
  /** The `updated_at` of the returned record, if it has one. */
  updated_at?: string | null
}

const versionOf = (result: object | null | undefined): string | null =>
  result && 'updated_at' in result && result.updated_at !== null ? String(result.updated_at) : null

export function toOutcome(status: number, result: object | null | undefined, location: string | null = null): Outcome {
  return { status, location, updated_at: versionOf(result), text: result == null ? '' : JSON.stringify(result) }
}

/** Makes an outcome from the list or object that a handler returned, without holding up other requests. */
export async function toLongOutcome(
  status: number,
  result: object | null | undefined,
  location: string | null = null,
): Promise<Outcome> {
  return { ...toOutcome(status, null, location), updated_at: versionOf(result), text: result == null ? '' : await jsonOf(result) }
}

/** Attaches the row's `updated_at` to a result whose schema lacks it: the entity tag includes it, the JSON does not. */
export const withVersion = <Result extends object>(result: Result, updated_at: string | null): Result =>
  Object.defineProperty(result, 'updated_at', { value: updated_at, enumerable: false })

/** The version of a row, the part of an entity tag before the dash. */
export const version = (updated_at: string | null | undefined): string => (updated_at ? Date.parse(updated_at).toString(36) : '')

/** `"<version of the row>-<hash of the content>"`. GET compares the whole tag, PUT and DELETE only the version. */
export const entityTag = (updated_at: string | null | undefined, content: string | Uint8Array): string =>
  `"${version(updated_at)}-${Bun.hash(content).toString(36)}"`

// Empty list elements are ignored (RFC 9110, section 5.6.1.2).
const TAG = /^[, \t]*(?:W\/)?("[!#-~\x80-\xff]*")[ \t]*(?:,[, \t]*|$)/

/** `If-Match` or `If-None-Match` (RFC 9110, section 13.1); null if malformed. Weak tags are treated as strong ones. */
function parseTags(header: string): '*' | string[] | null {
  let rest = header.trim()
  if (rest === '*') return '*'
  const tags: string[] = []
  do {
    const [whole = '', tag] = TAG.exec(rest) ?? []
    if (tag === undefined) return null
    tags.push(tag)
    rest = rest.slice(whole.length)
  } while (rest !== '')
  return tags
}

/** Whether the client already has the current version (`If-None-Match`). */
export function matchesEntityTag(request: Request, tag: string): boolean {
  const header = request.headers.get('if-none-match')
  if (header === null || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  const known = parseTags(header)
  return known === '*' || (known?.includes(tag) ?? false)
}

/** The tags of `If-Match`. @returns null if every version matches @throws Problem `malformed_header` */
function ifMatchTags(request: Request): string[] | null {
  const header = request.headers.get('if-match')
  const tags = header === null ? '*' : parseTags(header)
  if (tags !== null) return tags === '*' ? null : tags
  throw new Problem(
    'malformed_header',
    'If-Match must be * or a comma-separated list of entity tags, quoted as in the ETag header.',
  )
}

/** @throws Problem `malformed_header` if `If-Match` is malformed */
export const requireValidTags = (request: Request): void => void ifMatchTags(request)

const preconditionFailed = (): Problem =>
  new Problem('precondition_failed', 'The resource was changed since you read it. Read it again and repeat your change.')

/** @param updated_at of the locked row; null if it cannot change or does not exist @throws Problem `precondition_failed` */
export function requireMatch(request: Request, updated_at: string | null): void {
  const tags = ifMatchTags(request)
  const now = version(updated_at)
  if (tags === null || tags.some((tag) => tag.startsWith(`"${now}-`))) return
  throw preconditionFailed()
}

/** The same for a record without a version, by the whole entity tag. @throws Problem `precondition_failed` */
export function requireSame(request: Request, shown: object): void {
  const tags = ifMatchTags(request)
  const { updated_at, text } = toOutcome(200, shown)
  if (tags === null || tags.includes(entityTag(updated_at, text))) return
  throw preconditionFailed()
}

/** Makes the response from an outcome. @param body of a long list, of which the outcome has the beginning */
export function respond(
  request: Request,
  context: RequestContext,
  outcome: Outcome,
  body: string | ReadableStream<Uint8Array> = outcome.text,
): Response {
  const { status, location, text } = outcome
  const headers: Record<string, string> = { ...SECURITY_HEADERS, ...context.headers, 'Cache-Control': 'no-store' }
  if (location) headers.Location = location
  context.status = status
  if (text === '') return new Response(null, { status, headers })
  headers['Content-Type'] = status >= 400 ? 'application/problem+json' : 'application/json'
  if (status < 300 && isSingle(context.declared, status)) {
    const tag = entityTag(outcome.updated_at, text)
    headers.ETag = tag
    headers['Cache-Control'] = 'private, no-cache'
    if (matchesEntityTag(request, tag)) {
      context.status = 304
      return new Response(null, { status: 304, headers })
    }
  }
  return new Response(body, { status, headers })
}

export function problemBody(problem: Problem, context: RequestContext | null, instance?: string): string {
  return JSON.stringify({
    type: `/docs/problems#${problem.code}`,
    title: PROBLEMS[problem.code][1],
    status: problem.status,
    detail: problem.detail,
    ...(instance ? { instance } : {}),
    code: problem.code,
    request_id: context?.request_id,
    ...(problem.errors ? { errors: problem.errors } : {}),
    ...problem.more,
  })
}

/** @param path the path of the request */
export const respondWithProblem = (request: Request, context: RequestContext, problem: Problem, path?: string): Response =>
  respond(request, context, { status: problem.status, text: problemBody(problem, context, path) })

/** Makes responses from what handlers return. A `Response` made by a handler only gets the request id. */
export const responses = (declarationOf: DeclarationOf) =>
  new Elysia({ name: 'responses' })
    .onTransform({ as: 'global' }, (input) => {
      const { request, route, params } = input
      const context = contextOf(request)
      context.declared = declarationOf(request.method, route) ?? null
      context.path = pathOf(route, (params ?? {}) as Record<string, string>)
      Object.assign(input, { query: queryOf(request.url) })
    })
    .mapResponse({ as: 'global' }, async ({ request, responseValue, set }) => {
      if (responseValue instanceof Response) {
        responseValue.headers.set('X-Request-Id', contextOf(request).request_id)
        return responseValue
      }
      const status = typeof set.status === 'number' ? set.status : 200
      const result = responseValue as object | null | undefined
      const outcome = { status, location: set.headers.location ?? null, updated_at: versionOf(result), text: '' }
      const context = contextOf(request)
      if (result == null) return respond(request, context, outcome)
      if (context.via === 'mcp') {
        context.result = result
        return new Response(null, { status })
      }
      const { text, body } = await jsonBody(result)
      return respond(request, context, { ...outcome, text }, body)
    })
