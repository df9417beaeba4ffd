/** Answers to requests for pages: HTML, redirects, and the way through signing in. */
import type { ComponentChildren } from 'preact'
import { render } from 'preact-render-to-string'
import type { TSchema } from '../../core/values/schema.ts'
import { contextOf, type SignedIn } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { PROBLEMS, type Problem, type ProblemCode } from '../problems.ts'
import type { PageAccess } from './access.ts'
import { Kept, RefusedForm, Submit } from './components/forms.tsx'
import { Notice, Prose } from './components/text.tsx'
import { noticeCookie, noticeIn, organizationCookie, organizationIn, sessionCookie, sessionIn } from './cookies.ts'
import { REDISPLAY, type Refused } from './forms.ts'
import { type FrameData, readFrameData } from './frame-data.ts'
import { PAGE_HEADERS, policyWith } from './headers.ts'
import { type KeptForm, keep } from './kept.ts'
import { documentOf, type View } from './layout.tsx'
import type { LivePage } from './live-pages.ts'
import { isPagePath, signInPath } from './urls.ts'

export interface Redirect {
  /** A path; default: the page of the action. */
  to?: string
  /** A sentence that the next page shows once. */
  notice?: string
  /** The session that the browser gets; null to end it. */
  session?: string | null
  /** What else the browser is to keep. */
  cookies?: string[]
}

export interface Visit {
  request: Request
  params: Record<string, string>
  access: PageAccess
  caller: SignedIn | null
  resource: Resource | null
  /** What the page follows, and its version before it is read; null for pages that follow nothing. */
  live: { page: LivePage; version: string } | null
  frame?: Promise<FrameData | null>
}

export const frameDataOf = (visit: Visit): Promise<FrameData | null> => {
  const { caller, resource, request } = visit
  visit.frame ??= caller ? readFrameData(caller, resource, organizationIn(request)) : Promise.resolve(null)
  return visit.frame
}

function MissingForm({ refused }: { refused: Refused }) {
  const { typed } = refused
  return (
    <div role="alert">
      <Notice tone="warn">{refused.message ?? 'This is not possible any more.'}</Notice>
      {typed.length > 0 && (
        <div class="card">
          <p class="hint">What you had typed:</p>
          {typed.map((text) => (
            <Prose>{text}</Prose>
          ))}
        </div>
      )}
    </div>
  )
}

function respond(request: Request, status: number, body: string | null, headers: Record<string, string>, cookies: string[]) {
  const context = contextOf(request)
  context.status = status
  const response = new Response(body, { status, headers: { ...context.headers, ...PAGE_HEADERS, ...headers } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

const cookiesOf = ({ notice, session, cookies = [] }: Redirect): string[] => [
  ...cookies,
  ...(notice === undefined ? [] : [noticeCookie(notice)]),
  ...(session === undefined ? [] : [sessionCookie(session)]),
]

const HTML = { 'Content-Type': 'text/html; charset=utf-8' }

export const redirect = (request: Request, to: Redirect): Response =>
  respond(request, 303, null, { Location: to.to ?? '/app' }, cookiesOf(to))

/** @param kept the form that waits until the person has signed in */
export async function html(
  visit: Visit,
  path: string,
  status: number,
  shown: Promise<View | Redirect>,
  refused: Refused | null,
  kept: string | null = null,
) {
  const { request, caller, resource, live } = visit
  // One after the other would make every page a round trip slower.
  const [view, data] = await Promise.all([shown, frameDataOf(visit)])
  if (!('main' in view)) return redirect(request, view)
  // What another page has left for the browser is not for a page that is apart, or one that a script reads again.
  const isRead = request.headers.get('sec-fetch-dest') === 'empty'
  const notice = isRead || ('open' in visit.access && visit.access.apart) ? null : noticeIn(request)
  const session = caller && sessionIn(request)
  const frame = { caller, resource, data, notice, path, live: refused || view.narrow ? null : live }
  const main = (
    <Kept.Provider value={kept}>
      <RefusedForm.Provider value={refused}>{view.main}</RefusedForm.Provider>
    </Kept.Provider>
  )
  // Rendered once to find out whether the page still has the form.
  if (refused) render(main)
  const lost = refused && !refused.isShown ? <MissingForm refused={refused} /> : null
  const text = documentOf({ ...view, main: [lost, main] }, frame)
  const headers = {
    ...HTML,
    ...(view.formTarget === undefined ? {} : { 'Content-Security-Policy': policyWith(view.formTarget) }),
  }
  return respond(request, view.status ?? status, text, headers, [
    ...(view.cookies ?? []),
    ...(notice === null ? [] : [noticeCookie(null)]),
    // The cookie lives as long as the session, which every use extends.
    ...(session ? [sessionCookie(session)] : []),
    ...(data?.current && data.current.id !== organizationIn(request) ? [organizationCookie(data.current.id)] : []),
  ])
}

/** Leads to signing in, and back to a path. Who had a session sees that it has ended, and what that means for the request. */
export const toSignIn = (request: Request, next: string, detail = ''): Response =>
  redirect(request, {
    to: signInPath(next),
    ...(sessionIn(request) ? { notice: `Your session has ended${detail}. Sign in again.` } : {}),
  })

type Shown = (visit: Visit, refused: Refused | null, url: URL) => Promise<View | Redirect>

/** The page for signing in, which its slice declares. */
let showSignIn: Shown | undefined

export function asSignInPage({ show }: { show: Shown }): void {
  showSignIn = show
}

const withNotice = (view: View | Redirect, notice: ComponentChildren): View | Redirect =>
  'main' in view ? { ...view, main: [<Notice tone="warn">{notice}</Notice>, view.main] } : view

/** Answers a form that was sent without a session: with the page for signing in, which keeps what was typed. */
export async function signInFirst(request: Request, home: string, body: TSchema, form: URLSearchParams): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const kept = keep(pathname + search, body, form)
  if (kept === null || !showSignIn) return toSignIn(request, home, ', and nothing was changed')
  const visit: Visit = { request, params: {}, access: { open: 'requests' }, caller: null, resource: null, live: null }
  const shown = showSignIn(visit, null, new URL(signInPath(home), request.url)).then((view) =>
    withNotice(
      view,
      `${sessionIn(request) ? 'Your session has ended' : 'You are not signed in'}, and nothing was changed. Sign in, and go on with what you typed.`,
    ),
  )
  return html(visit, '/sign-in', 401, shown, null, kept)
}

/** Answers a person who has signed in, and whose form was kept: with a button that leads to it. The script presses it. */
export function backToForm(request: Request, { action, fields }: KeptForm, signedIn: Redirect): Response {
  const main = (
    <form method="post" action={action} data-continue>
      <p>What you typed is in its form again. Passwords and other secrets have to be typed once more. Nothing was changed yet.</p>
      {[...fields, [REDISPLAY, '']].map(([name, text]) => (
        <input type="hidden" name={name} value={text} />
      ))}
      <Submit>Go on</Submit>
    </form>
  )
  const frame = { caller: null, resource: null, data: null, notice: null, path: '/sign-in', live: null }
  const notice = 'Nothing was changed yet: look over what you had typed, and send it.'
  const text = documentOf({ title: 'You are signed in', main, narrow: true }, frame)
  return respond(request, 200, text, HTML, cookiesOf({ ...signedIn, notice }))
}

const TITLES: Partial<Record<number, string>> = {
  403: 'You cannot do this',
  404: 'Page not found',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Signalbox is not available',
}

/** Problems that do not pass by themselves in a moment: what they say is for people. */
const hasOwnTitle = (code: ProblemCode): boolean =>
  code === 'secret_unreadable' || code === 'github_unavailable' || code.startsWith('sso_')

/** What a person reads; the details of a problem are written for developers only where it is about the request itself. */
function detailOf({ status, code, detail }: Problem): string {
  if (code === 'not_found') return 'This page does not exist, or you have no access to it.'
  if (status === 500) return 'The error was logged. Go back and try again.'
  if (hasOwnTitle(code)) return detail
  if (status === 503) return 'This does not take long. Nothing was changed; try again in a few seconds.'
  return detail
}

/** Where a person goes on after signing on. */
const backTo = ({ method, url }: Request): string => (method === 'GET' ? new URL(url).pathname : '/app')

/** A problem as a page, without anything from the database. @returns null if the request was not for a page */
export function refusal(request: Request, problem: Problem): Response | null {
  const { pathname } = new URL(request.url)
  if (!isPagePath(request.method, pathname)) return null
  const context = contextOf(request)
  const title = (!hasOwnTitle(problem.code) && TITLES[problem.status]) || PROBLEMS[problem.code][1]
  const main = (
    <>
      <p>{detailOf(problem)}</p>
      {problem.code === 'second_factor_required' && (
        <p>
          <a href="/app/account/security">Set up a second factor</a>
        </p>
      )}
      {problem.more.sign_in_url !== undefined && (
        <p>
          <a class="button" href={`${new URL(problem.more.sign_in_url).pathname}?next=${encodeURIComponent(backTo(request))}`}>
            Sign in with the provider
          </a>
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
  const frame = { caller: null, resource: null, data: null, notice: null, live: null, path: pathname }
  context.status = problem.status
  const { 'WWW-Authenticate': _, ...headers } = { ...context.headers, ...problem.headers }
  return new Response(documentOf({ title, main, narrow: true }, frame), {
    status: problem.status,
    headers: { ...headers, ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' },
  })
}
