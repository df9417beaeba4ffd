/** Turns errors into responses. */
import { Elysia } from 'elysia'
import { isUnavailable } from '../../core/platform/database-errors.ts'
import { codeOf } from '../../core/platform/error-fields.ts'
import { log } from '../../core/platform/log.ts'
import { traceIds } from '../../core/platform/traces.ts'
import { UnreadableSecret } from '../../core/security/secrets.ts'
import { violatedConstraint } from '../../sql/index.ts'
import { conflictAt, groupInUse, invalidField, Problem } from '../problems.ts'
import { contextOf, withoutSlash } from './request-context.ts'
import { respond, respondWithProblem } from './responses.ts'

const CONSTRAINTS: Record<string, () => Problem> = {
  organizations_max_members: () =>
    new Problem('member_limit_reached', 'The organization has reached max_members. Raise it, or remove a member.'),
  // Single amounts are validated before; here the amount would raise a sum above the limit.
  usd_range: () =>
    invalidField(
      '/cost_usd',
      'amount_out_of_range',
      'would raise the cost of the execution, or the monthly spend of its agent, workspace or organization, above 1,000,000,000,000 USD',
    ),
  environment_approvers_group: groupInUse,
  users_email_key: () =>
    conflictAt('/email', 'email_taken', 'Another account has this e-mail address.', 'is the address of another account'),
}

const secretUnreadable = (): Problem =>
  new Problem(
    'secret_unreadable',
    'Nothing was done: what this needs is stored encrypted, and no key of this service decrypts it. Set the secrets of the hook, the channel or the GitHub App again, or ask the operator to add the key that encrypted them to SECRETS_KEY.',
    undefined,
    { 'Retry-After': '60' },
  )

/** The problem that the caller sees. Details of unexpected errors only go to the log. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isUnavailable(error)) {
    // The COMMIT may have succeeded although its response was lost.
    const detail = 'The database is not available. Try again shortly; repeat changes with the same Idempotency-Key.'
    return new Problem('database_unavailable', detail)
  }
  if (error instanceof UnreadableSecret) return secretUnreadable()
  const known = CONSTRAINTS[violatedConstraint(error) ?? '']
  return (
    known?.() ?? new Problem('internal', 'An unexpected error occurred and was logged. If it persists, report the request_id.')
  )
}

/** The methods that a path supports; empty if no route matches. */
export type MethodsFor = (path: string) => string[]

const segmentsOf = (path: string): string[] => withoutSlash(path).split('/')

const isParameter = (segment: string): boolean => segment.startsWith(':')

/** Makes the lookup of allowed methods from all routes. Routes with fewer parameters take precedence, as in the router. */
export function methodsFor(routes: { method: string; path: string }[]): MethodsFor {
  const known = routes.map(({ method, path }) => ({ method, segments: segmentsOf(path) }))
  return (path) => {
    const given = segmentsOf(path)
    const matching = known
      .filter(({ segments }) => segments.length === given.length)
      .filter(({ segments }) =>
        segments.every((segment, at) => segment === given[at] || (isParameter(segment) && given[at] !== '')),
      )
      .map(({ method, segments }) => ({ method, parameters: segments.filter(isParameter).length }))
    const fewest = Math.min(...matching.map(({ parameters }) => parameters))
    const methods = new Set(matching.filter(({ parameters }) => parameters === fewest).map(({ method }) => method))
    if (methods.size === 0) return []
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
  }
}

/** Makes the response to a request for a page or an OAuth endpoint; null for other requests, which get a problem. */
type Refusal = (request: Request, problem: Problem) => Response | null

/** @param methods tells 404 from 405 when no route matches @param refusal for requests of pages and OAuth endpoints */
export const problems = (methods: MethodsFor, refusal: Refusal) =>
  new Elysia({ name: 'problems' }).onError({ as: 'global' }, ({ error, code, request }) => {
    const context = contextOf(request)
    const { pathname } = new URL(request.url)
    const allowed = code === 'NOT_FOUND' ? methods(pathname) : []
    if (request.method === 'OPTIONS' && allowed.length > 0) {
      context.headers.Allow = allowed.join(', ')
      return respond(request, context, { status: 204, text: '' })
    }
    const problem = code === 'NOT_FOUND' ? noSuchRoute(request.method, pathname, allowed) : problemOf(error)
    if (problem.status >= 500) {
      context.errorType = problem.code
      // Shutting down is not an error.
      if (problem.code !== 'shutting_down')
        log.error({ request_id: context.request_id, ...traceIds(context.span), error, code: codeOf(error) }, problem.code)
    }
    Object.assign(context.headers, problem.headers)
    return refusal(request, problem) ?? respondWithProblem(request, context, problem, pathname)
  })

function noSuchRoute(method: string, path: string, allowed: string[]): Problem {
  if (allowed.length === 0) return new Problem('not_found', `No endpoint at ${path}. See /docs for all endpoints.`)
  const names = allowed.join(', ')
  return new Problem('method_not_allowed', `${method} is not supported on ${path}; allowed: ${names}.`, undefined, {
    Allow: names,
  })
}
