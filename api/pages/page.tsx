/**
 * Declares pages and their actions. A page answers GET and changes nothing; an action answers the POST of a form: it runs an
 * operation of the API and redirects, or shows its page again with what was wrong.
 */

import { Elysia } from 'elysia'
import { render } from 'preact-render-to-string'
import type { Visitor } from '../../core/actors.ts'
import { Nothing, type Static, type TSchema } from '../../core/values/schema.ts'
import type { Tx } from '../../sql/index.ts'
import { FORM } from '../plugins/body.ts'
import { inTransaction } from '../plugins/change.ts'
import { contextOf, type SignedIn } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { Problem } from '../problems.ts'
import { type Admitted, admit, type HeaderData, type PageAccess, readHeaderData, requirementOf } from './access.ts'
import { versionOf } from './changes.ts'
import { MissingForm, RefusedForm } from './components/forms.tsx'
import { noticeCookie, noticeIn, sessionCookie, sessionIn } from './cookies.ts'
import { bodyOf, parseForm, type Refused, refusedForm, typedInto } from './forms.ts'
import { PAGE_HEADERS, policyWith } from './headers.ts'
import { documentOf, type View } from './layout.tsx'
import { keysOf, type LivePage, livePageOf } from './live-pages.ts'
import { requireSameAccount, takeMadeFor } from './made-for.ts'
import { takeMadeFrom } from './made-from.ts'
import { requireOwnOrigin, signInPath } from './origins.ts'
import { addPagePath } from './paths.ts'
import { queryOf } from './queries.ts'

/** Sends the browser to another page. */
export interface Redirect {
  /** A path; default: the page of the action. */
  to?: string
  /** A sentence that the next page shows once. */
  notice?: string
  /** The session that the browser gets; null to end it. */
  session?: string | null
}

/** What a page or an action gets. */
export type PageContext<Access extends PageAccess, Query extends TSchema = typeof Nothing> = Admitted<Access> & {
  request: Request
  url: URL
  params: Record<string, string>
  query: Static<Query>
  visitor: Visitor
  /** The form that was posted and refused; null when the page is opened. */
  refused: Refused | null
  /** What the frame of the page shows, for a page that depends on it; null without a session. */
  header: () => Promise<HeaderData | null>
}

/** Runs an operation in one transaction, with its events and its audit entry. */
export type PageChange = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/** A request that was admitted to a page or an action. */
interface Visit {
  request: Request
  params: Record<string, string>
  access: PageAccess
  caller: SignedIn | null
  resource: Resource | null
  /** What the page follows, and its version before it is read; null for pages that follow nothing. */
  live: { page: LivePage; version: string } | null
  header?: Promise<HeaderData | null>
}

/** Read once, however many ask for it. */
const headerOf = (visit: Visit): Promise<HeaderData | null> =>
  (visit.header ??= visit.caller ? readHeaderData(visit.caller, visit.resource) : Promise.resolve(null))

/** What a route needs of the server: to keep a stream open. */
type Server = { timeout(request: Request, seconds: number): void } | null

export interface Route {
  method: 'GET' | 'POST'
  path: string
  access: PageAccess
  answer(request: Request, params: Record<string, string>, server: Server): Promise<Response>
}

/** A page. Actions show it again when they refuse a form. */
interface Page extends Route {
  show(visit: Visit, refused: Refused | null): Promise<View | Redirect>
}

const filled = (path: string, params: Record<string, string>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function contextFor(visit: Visit, access: PageAccess, refused: Refused | null) {
  const { request, params, caller, resource } = visit
  const { address, device } = contextOf(request)
  const kind = requirementOf(access)?.kind
  return {
    request,
    url: new URL(request.url),
    params,
    visitor: { ip_address: address, device },
    refused,
    caller,
    header: () => headerOf(visit),
    ...(kind ? { [kind]: resource } : {}),
  }
}

function respond(request: Request, status: number, body: string | null, headers: Record<string, string>, cookies: string[]) {
  const context = contextOf(request)
  context.status = status
  const response = new Response(body, { status, headers: { ...context.headers, ...PAGE_HEADERS, ...headers } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

const redirect = (request: Request, { to = '/app', notice, session }: Redirect): Response =>
  respond(request, 303, null, { Location: to }, [
    ...(notice === undefined ? [] : [noticeCookie(notice)]),
    ...(session === undefined ? [] : [sessionCookie(session)]),
  ])

async function html(visit: Visit, path: string, status: number, shown: Promise<View | Redirect>, refused: Refused | null) {
  const { request, caller, resource, live } = visit
  // One after the other would make every page a round trip slower.
  const [view, headerData] = await Promise.all([shown, headerOf(visit)])
  if (!('main' in view)) return redirect(request, view)
  // What another page has left for the browser is not for a page that is apart, or one that a script reads again.
  const isRead = request.headers.get('sec-fetch-dest') === 'empty'
  const notice = isRead || ('open' in visit.access && visit.access.apart) ? null : noticeIn(request)
  const session = caller && sessionIn(request)
  const frame = { caller, resource, headerData, notice, path, live: refused || view.narrow ? null : live }
  const main = <RefusedForm.Provider value={refused}>{view.main}</RefusedForm.Provider>
  // Rendered once to find out whether the page still has the form.
  if (refused) render(main)
  const lost = refused && !refused.isShown ? <MissingForm refused={refused} /> : null
  const text = documentOf({ ...view, main: [lost, main] }, frame)
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    ...(view.formTarget === undefined ? {} : { 'Content-Security-Policy': policyWith(view.formTarget) }),
  }
  return respond(request, view.status ?? status, text, headers, [
    ...(notice === null ? [] : [noticeCookie(null)]),
    // The cookie lives as long as the session, which every use extends.
    ...(session ? [sessionCookie(session)] : []),
  ])
}

/**
 * Leads to signing in, and back to a path. A visitor who had a session is told that it has ended.
 *
 * @param detail what that means for the request
 */
const toSignIn = (request: Request, next: string, detail = ''): Response =>
  redirect(request, {
    to: signInPath(next),
    ...(sessionIn(request) ? { notice: `Your session has ended${detail}. Sign in again.` } : {}),
  })

const NOTHING_CHANGED = ', and nothing was changed'

const isUnauthenticated = (error: unknown): boolean => error instanceof Problem && error.code === 'unauthenticated'

/** Pointers to the parameters of pages: `/page`, `/page_size`, `/after` and those that end with it. */
const PAGING = /^\/page|after$/

/** Whether a problem is about what was typed into a filter: the form is shown again. Links contain the other parameters. */
const isAboutFilter = (error: unknown): error is Problem =>
  error instanceof Problem && error.status === 422 && error.errors?.every(({ pointer }) => !PAGING.test(pointer)) === true

/**
 * A page.
 *
 * @param access who may see it
 * @param show reads what the page shows; it may also redirect
 * @param query the parameters of the URL; others are ignored
 * @param live what the page follows while it is open: by default changes of the resource and around it, or of the account of its reader
 */
export function page<const Access extends PageAccess, Query extends TSchema = typeof Nothing>(
  path: string,
  access: Access,
  show: (context: PageContext<Access, Query>) => View | Redirect | Promise<View | Redirect>,
  query?: Query,
  live?: 'overview' | 'nothing',
): Page {
  const followed = ({ caller, resource }: Pick<Visit, 'caller' | 'resource'>): Visit['live'] => {
    if (!caller || 'open' in access || live === 'nothing') return null
    const name = live ?? livePageOf(resource)
    return { page: name, version: versionOf(keysOf(name, caller.id)) }
  }
  const showWith = async (visit: Visit, refused: Refused | null) => {
    const context = contextFor(visit, access, refused)
    const values = queryOf(query ?? Nothing, refused ? new URL('/', context.url) : context.url)
    // The page of an action has its own path.
    const url =
      visit.request.method === 'POST' ? new URL(filled(path, visit.params) + context.url.search, context.url) : context.url
    return show({ ...context, url, query: values } as unknown as PageContext<Access, Query>)
  }
  return {
    method: 'GET',
    path,
    access,
    show: showWith,
    async answer(request, params) {
      const { pathname, search } = new URL(request.url)
      let visit: Visit | null = null
      try {
        const admitted = await admit(request, params, access)
        visit = { request, params, access, ...admitted, live: followed(admitted) }
        return await html(visit, pathname, 200, showWith(visit, null), null)
      } catch (error) {
        if (isUnauthenticated(error)) return toSignIn(request, pathname + search)
        if (!visit || !isAboutFilter(error)) throw error
        const refused = refusedForm(pathname, new URLSearchParams(search), error)
        return html(visit, pathname, 422, showWith(visit, refused), refused)
      }
    },
  }
}

const editedMeanwhile = (): Problem =>
  new Problem(
    'edited_meanwhile',
    'This was changed while you were editing it, and nothing was saved. Each field shows what you entered, and below it what is stored now where that differs. Send the form again to save what you entered.',
  )

/** A page that shows another one, which may refuse as well, to people who have no access to it. */
export const orElse = (first: Page, second: Page): Page => ({
  ...first,
  async answer(request, params, server) {
    try {
      return await first.answer(request, params, server)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error
      return second.answer(request, params, server)
    }
  },
})

/** Problems that concern the whole page: the person has no access, or must wait. */
const isForPage = ({ status, code }: Problem): boolean => status >= 500 || status === 404 || code === 'unauthenticated'

/**
 * The action of a form. A refused form is shown again on its page, with the status of the problem.
 *
 * @param access who may run it
 * @param options `on`: the page of the form, whose path has no other parameters than that of the action; `body`: the schema of
 *   the API route with the same operation
 * @param run runs the operation; returns where to go next (default: the page), or a page with what is shown only once
 * @throws what `run` throws, if it is not about the form
 */
export function action<const Access extends PageAccess, Body extends TSchema>(
  path: string,
  access: Access,
  options: { on: Page; body: Body },
  run: (
    context: PageContext<Access> & { change: PageChange },
    body: Static<Body>,
  ) => Promise<View | Redirect | Response | undefined>,
): Route {
  const { on, body } = options
  return {
    method: 'POST',
    path,
    access,
    async answer(request, params) {
      const context = contextOf(request)
      const { pathname, search } = new URL(request.url)
      const home = filled(on.path, params)
      requireOwnOrigin(request)
      let visit: Visit
      try {
        visit = { request, params, access, ...(await admit(request, params, access)), live: null }
      } catch (error) {
        // The path of a link that contains a token is the same for its page and its action.
        if (isUnauthenticated(error)) return toSignIn(request, pathname === home ? home + search : home, NOTHING_CHANGED)
        if (!context.bodyProblem) requireSameAccount(context.caller, takeMadeFor(parseForm(context.bytes)))
        throw error
      }
      if (context.bodyProblem) throw context.bodyProblem
      const form = parseForm(context.bytes)
      const madeFor = takeMadeFor(form)
      const conditional = takeMadeFrom(request.url, form)
      try {
        requireSameAccount(visit.caller, madeFor)
        const change: PageChange = (work) => inTransaction(context, work)
        const given = { ...contextFor(visit, access, null), request: conditional ?? request, query: {}, change }
        const done = (await run(given as unknown as PageContext<Access> & { change: PageChange }, bodyOf(body, form))) ?? {}
        if (done instanceof Response) return done
        if ('main' in done) return await html(visit, home, 200, Promise.resolve(done), null)
        return redirect(request, { ...done, to: done.to ?? home })
      } catch (error) {
        if (isUnauthenticated(error)) return toSignIn(request, home, NOTHING_CHANGED)
        if (!(error instanceof Problem) || isForPage(error)) throw error
        const problem = error.code === 'precondition_failed' ? editedMeanwhile() : error
        const refused = refusedForm(pathname + search, form, problem, typedInto(body, form))
        const { 'WWW-Authenticate': _, ...headers } = problem.headers
        Object.assign(context.headers, headers)
        return html(visit, home, problem.status, on.show(visit, refused), refused)
      }
    },
  }
}

/** The routes of pages and actions, hidden from the OpenAPI document. */
export function pageRoutes(name: string, ...routes: Route[]) {
  const app = new Elysia({ name })
  for (const { method, path, access, answer } of routes) {
    addPagePath(method, path)
    const { kind, role } = requirementOf(access) ?? { kind: 'open' in access ? 'open' : 'inSession', role: undefined }
    const detail = {
      hide: true,
      'x-page': true,
      'x-access': { kind, role },
      ...(method === 'POST' ? { 'x-consumes': [FORM] } : {}),
    }
    app.route(method, path, ({ request, params, server }) => answer(request, (params ?? {}) as Record<string, string>, server), {
      detail: detail as object,
    })
  }
  return app
}
