/** Problems as pages. */
import { contextOf } from '../plugins/request-context.ts'
import { PROBLEMS, type Problem } from '../problems.ts'
import { PAGE_HEADERS } from './headers.ts'
import { documentOf } from './layout.tsx'
import { isPagePath } from './paths.ts'

const TITLES: Partial<Record<number, string>> = {
  403: 'You cannot do this',
  404: 'Page not found',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Signalbox is not available',
}

/** What a person reads; the details of a problem are written for developers only where it is about the request itself. */
function detailOf({ status, code, detail }: Problem): string {
  if (code === 'not_found') return 'This page does not exist, or you have no access to it.'
  if (status === 500) return 'The error was logged. Go back and try again.'
  if (code === 'secret_unreadable') return detail
  if (status === 503) return 'This does not take long. Nothing was changed; try again in a few seconds.'
  return detail
}

/**
 * A problem as a page, without anything from the database.
 *
 * @returns null if the request was not for a page
 */
export function refusal(request: Request, problem: Problem): Response | null {
  const { pathname } = new URL(request.url)
  if (!isPagePath(request.method, pathname)) return null
  const context = contextOf(request)
  const title = (problem.code !== 'secret_unreadable' && TITLES[problem.status]) || PROBLEMS[problem.code][1]
  const main = (
    <>
      <p>{detailOf(problem)}</p>
      {problem.code === 'second_factor_required' && (
        <p>
          <a href="/app/account/security">Set up a second factor</a>
        </p>
      )}
      <p>
        <a href="/app">Go to what needs you</a>
      </p>
      {problem.status >= 500 && (
        <p class="hint">
          If it happens again, report the request id <code>{context.request_id}</code>.
        </p>
      )}
    </>
  )
  const frame = { caller: null, resource: null, headerData: null, notice: null, live: null, path: pathname }
  context.status = problem.status
  const { 'WWW-Authenticate': _, ...headers } = { ...context.headers, ...problem.headers }
  return new Response(documentOf({ title, main, narrow: true }, frame), {
    status: problem.status,
    headers: { ...headers, ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' },
  })
}
