/** The one place where an error becomes an answer. */
import { Elysia } from 'elysia'
import { isUnavailable } from '../../core/platform/database-errors.ts'
import { codeOf } from '../../core/platform/error-facts.ts'
import { log } from '../../core/platform/log.ts'
import { traceIds } from '../../core/platform/traces.ts'
import { PostgresError } from '../../sql/index.ts'
import { invalidField, Problem } from '../problems.ts'
import { answer, problemAnswer } from './answers.ts'
import { contextOf } from './request-context.ts'

/** Rules that the database upholds: the sentence for the caller whose change broke one. */
const CONSTRAINTS: Record<string, () => Problem> = {
  organizations_max_members: () =>
    new Problem('member_limit_reached', 'The organization has all the members that max_members allows.'),
  // No single amount is so large: it is a sum that the amount would raise.
  usd_range: () =>
    invalidField(
      '/cost_usd',
      'amount_out_of_range',
      'raises the cost of the execution, or what its agent, workspace or organization spent this month, above 1,000,000,000,000 USD',
    ),
  users_email_key: () => new Problem('email_taken', 'Another account has this e-mail address.'),
}

/** What an error means to the caller. Bugs and surprises are told to the log, not to the caller. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isUnavailable(error)) {
    // A COMMIT whose answer was lost may have been carried out.
    const detail = 'The database is not available. Try again in a moment; repeat a change under the same Idempotency-Key.'
    return new Problem('database_unavailable', detail, undefined, { 'Retry-After': '2' })
  }
  const known = error instanceof PostgresError ? CONSTRAINTS[error.constraint_name ?? ''] : undefined
  return known?.() ?? new Problem('internal', 'Something broke on our side. It is on record under the request_id.')
}

/** Methods that a path supports; none for a path that no route fits. */
export type MethodsFor = (path: string) => string[]

/** The steps of a path; a slash at its end makes no other path of it. */
const stepsOf = (path: string): string[] => path.replace(/(.)\/$/, '$1').split('/')

const isNamed = (step: string): boolean => step.startsWith(':')

/** Finds the methods of a path among all routes of an application. A route that spells the path out hides one that names steps. */
export function methodsFor(routes: { method: string; path: string }[]): MethodsFor {
  const known = routes.map(({ method, path }) => ({ method, steps: stepsOf(path) }))
  return (path) => {
    const given = stepsOf(path)
    const fitting = known
      .filter(({ steps }) => steps.length === given.length)
      .filter(({ steps }) => steps.every((step, at) => step === given[at] || (isNamed(step) && given[at] !== '')))
      .map(({ method, steps }) => ({ method, named: steps.filter(isNamed).length }))
    const fewest = Math.min(...fitting.map(({ named }) => named))
    const methods = new Set(fitting.filter(({ named }) => named === fewest).map(({ method }) => method))
    if (methods.size === 0) return []
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
  }
}

/** @param methods asked when no route fits, to tell 404 from 405 */
export const problems = (methods: MethodsFor) =>
  new Elysia({ name: 'problems' }).onError({ as: 'global' }, ({ error, code, request }) => {
    const context = contextOf(request)
    const { pathname } = new URL(request.url)
    const allowed = code === 'NOT_FOUND' ? methods(pathname) : []
    if (request.method === 'OPTIONS' && allowed.length > 0) {
      context.headers.Allow = allowed.join(', ')
      return answer(request, context, { status: 204, location: null, updated_at: null, text: '' })
    }
    const problem = code === 'NOT_FOUND' ? noSuchRoute(request.method, pathname, allowed) : problemOf(error)
    if (problem.status >= 500) {
      context.error_type = problem.code
      // That a process ends is no error.
      if (problem.code !== 'shutting_down')
        log.error({ request_id: context.request_id, ...traceIds(context.span), error, code: codeOf(error) }, problem.code)
    }
    Object.assign(context.headers, problem.headers)
    return answer(request, context, {
      status: problem.status,
      location: null,
      updated_at: null,
      text: problemAnswer(problem, context, pathname),
    })
  })

function noSuchRoute(method: string, path: string, allowed: string[]): Problem {
  if (allowed.length === 0) return new Problem('not_found', `There is no path ${path}. /docs lists all paths.`)
  const names = allowed.join(', ')
  return new Problem('method_not_allowed', `${method} is not supported on ${path}; allowed: ${names}.`, undefined, {
    Allow: names,
  })
}
