/** What goes out: JSON with its entity tag, problems as RFC 9457 has them, and the headers that every answer carries. */
import { Elysia } from 'elysia'
import { PROBLEMS, Problem } from '../problems.ts'
import { contextOf, type RequestContext } from './request-context.ts'

// What OWASP's REST security cheat sheet asks of an API.
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Permissions-Policy': 'interest-cohort=()',
}

/** What came of a request. */
export interface Outcome {
  status: number
  location: string | null
  /** JSON; empty for an answer without a body. */
  text: string
  /** Of the record in it, where it has one. */
  updated_at: string | null
}

/** The outcome that an object is. */
export function outcomeOf(status: number, result: object | null | undefined, location: string | null = null): Outcome {
  const updated_at = result && 'updated_at' in result && result.updated_at !== null ? String(result.updated_at) : null
  return { status, location, updated_at, text: result == null ? '' : JSON.stringify(result) }
}

/** Gives an answer whose shape has no `updated_at` the version of its row: entity tags see it, JSON does not. */
export const withVersion = <Result extends object>(result: Result, updated_at: string | null): Result =>
  Object.defineProperty(result, 'updated_at', { value: updated_at, enumerable: false })

/** The row's version, as it stands in an entity tag before the dash. */
const version = (updated_at: string | null): string => (updated_at ? Date.parse(updated_at).toString(36) : '')

/** `"<version of the row>-<hash of the whole answer>"`: GET compares all of it, PUT and DELETE the version alone. */
export const entityTag = (updated_at: string | null, content: string | Uint8Array): string =>
  `"${version(updated_at)}-${Bun.hash(content).toString(36)}"`

// Empty elements of a list are ignored (section 5.6.1.2).
const TAG = /^[, \t]*(?:W\/)?("[!#-~\x80-\xff]*")[ \t]*(?:,[, \t]*|$)/

/**
 * The tags of an `If-Match` or `If-None-Match` (RFC 9110, section 13.1), weak ones as strong ones.
 *
 * @returns null for a header that is malformed
 */
function tagsOf(header: string): '*' | string[] | null {
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

/** Whether a reader has what there is already. */
export function unchanged(request: Request, tag: string): boolean {
  const header = request.headers.get('if-none-match')
  if (header === null || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  const known = tagsOf(header)
  return known === '*' || (known?.includes(tag) ?? false)
}

/**
 * The tags of which one must match.
 *
 * @returns null where anything matches
 * @throws Problem `malformed_header`
 */
export function requiredTags(request: Request): string[] | null {
  const header = request.headers.get('if-match')
  const tags = header === null ? '*' : tagsOf(header)
  if (tags !== null) return tags === '*' ? null : tags
  throw new Problem('malformed_header', 'If-Match must be * or a list of entity tags, each in double quotes as ETag shows it.')
}

const changedMeanwhile = (): Problem =>
  new Problem('precondition_failed', 'It was changed since you read it. Read it again, and repeat your change on what you find.')

/**
 * Refuses a change of something that is not as its sender last saw it.
 *
 * @param updated_at of the row, which is locked; null for one that cannot change, or is not there yet
 * @throws Problem `precondition_failed`
 */
export function requireMatch(request: Request, updated_at: string | null): void {
  const tags = requiredTags(request)
  const now = version(updated_at)
  if (tags === null || tags.some((tag) => tag.startsWith(`"${now}-`))) return
  throw changedMeanwhile()
}

/**
 * The same for what has no version of its own: it must be as it was in the answer that its sender saw last.
 *
 * @param shown as the API shows it now
 * @throws Problem `precondition_failed`
 */
export function requireSame(request: Request, shown: object): void {
  const tags = requiredTags(request)
  const { updated_at, text } = outcomeOf(200, shown)
  if (tags === null || tags.includes(entityTag(updated_at, text))) return
  throw changedMeanwhile()
}

/** Lists and pages have no tag: only a single object is one thing with one version. */
const isSingle = (text: string): boolean => text.startsWith('{') && !text.includes('"items":[')

/** The response to an outcome. */
export function answer(request: Request, context: RequestContext, outcome: Outcome): Response {
  const { status, location, text } = outcome
  const headers: Record<string, string> = { ...SECURITY_HEADERS, ...context.headers, 'Cache-Control': 'no-store' }
  if (location) headers.Location = location
  context.status = status
  if (text === '') return new Response(null, { status, headers })
  headers['Content-Type'] = status >= 400 ? 'application/problem+json' : 'application/json'
  if (status < 300 && isSingle(text)) {
    const tag = entityTag(outcome.updated_at, text)
    headers.ETag = tag
    headers['Cache-Control'] = 'private, no-cache'
    if (unchanged(request, tag)) {
      context.status = 304
      return new Response(null, { status: 304, headers })
    }
  }
  return new Response(text, { status, headers })
}

/** A problem as text, ready to be sent or kept. */
export function problemAnswer(problem: Problem, context: RequestContext | null, instance?: string): string {
  const [status, title] = PROBLEMS[problem.code]
  return JSON.stringify({
    type: `/docs/problems#${problem.code}`,
    title,
    status,
    detail: problem.detail,
    ...(instance ? { instance } : {}),
    code: problem.code,
    request_id: context?.request_id,
    ...(problem.errors ? { errors: problem.errors } : {}),
  })
}

/** The answer whose body comes by and by, as server-sent events. Nothing on the way may keep it back. */
export function eventStream(request: Request, stream: ReadableStream<Uint8Array> | null): Response {
  const headers = {
    ...SECURITY_HEADERS,
    ...contextOf(request).headers,
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  }
  return new Response(stream, { headers })
}

/** Turns what handlers return into answers. A handler that made a Response itself has said all but the id. */
export const answers = new Elysia({ name: 'answers' }).mapResponse({ as: 'global' }, ({ request, responseValue, set }) => {
  if (responseValue instanceof Response) {
    responseValue.headers.set('X-Request-Id', contextOf(request).request_id)
    return responseValue
  }
  const status = typeof set.status === 'number' ? set.status : 200
  return answer(request, contextOf(request), outcomeOf(status, responseValue as object | null, set.headers.location ?? null))
})
