/**
 * Declares pages and their actions. A page answers GET and changes nothing; an action answers the POST of a form: it runs an
 * operation of the API and redirects, or shows its page again with what was wrong.
 */
import { Elysia } from 'elysia'
import type { Visitor } from '../../core/tenants/actors.ts'
import { Nothing, type Static, type TSchema } from '../../core/values/schema.ts'
import type { Tx } from '../../sql/index.ts'
import { FORM, UPLOAD } from '../plugins/body.ts'
import { inTransaction } from '../plugins/change.ts'
import { contextOf, pathOf } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { type Admitted, admit, type PageAccess, requirementOf } from './access.ts'
import { backToForm, frameDataOf, html, type Redirect, redirect, signInFirst, toSignIn, type Visit } from './answers.tsx'
import {
  ACCOUNT_ID,
  asIfMatch,
  bodyReader,
  MADE_FROM,
  parseForm,
  REDISPLAY,
  type Refused,
  refusedForm,
  requireSameAccount,
  take,
  takeFile,
  typedInto,
} from './forms.ts'
import type { FrameData } from './frame-data.ts'
import { keptIn, takeKept } from './kept.ts'
import type { View } from './layout.tsx'
import { keysOf, livePageOf, versionOf } from './live-pages.ts'
import { addPagePath, queryReader, requireOwnOrigin } from './urls.ts'

export type PageContext<Access extends PageAccess, Query extends TSchema = typeof Nothing> = Admitted<Access> & {
  request: Request
  url: URL
  params: Record<string, string>
  query: Static<Query>
  visitor: Visitor
  refused: Refused | null
  /** What the frame of the page shows, for a page that depends on it; null without a session. */
  frame: () => Promise<FrameData | null>
}

/** Runs an operation in one transaction, with its events and its audit entry. */
export type PageChange = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/** What a route needs of the server: to keep a stream open. */
type Server = { timeout(request: Request, seconds: number): void } | null

export interface Route {
  method: 'GET' | 'POST'
  path: string
  access: PageAccess
  answer(request: Request, params: Record<string, string>, server: Server): Promise<Response>
  /** The fields of its form; absent for a page. */
  body?: TSchema
  /** How large the file may be that its form sends; absent if it sends none. */
  maxFileBytes?: number
}

interface Page extends Route {
  show(visit: Visit, refused: Refused | null, url?: URL): Promise<View | Redirect>
}

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
    frame: () => frameDataOf(visit),
    ...(kind ? { [kind]: resource } : {}),
  }
}

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
  const readQuery = queryReader(query ?? Nothing)
  const showWith = async (visit: Visit, refused: Refused | null, at?: URL) => {
    const context = contextFor(visit, access, refused)
    const values = readQuery(refused ? new URL('/', context.url) : context.url)
    // The page of an action has its own path.
    const own = visit.request.method === 'POST' ? new URL(pathOf(path, visit.params) + context.url.search, context.url) : null
    return show({ ...context, url: at ?? own ?? context.url, query: values } as unknown as PageContext<Access, Query>)
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
        // Asked first: on small pages it takes longer than all else.
        void frameDataOf(visit)
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

const NOTHING = new URLSearchParams()

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
const isForPage = ({ status, code }: Problem): boolean =>
  (status >= 500 && code !== 'github_unavailable') || status === 404 || code === 'unauthenticated'

/**
 * The action of a form. A refused form is shown again on its page, with the status of the problem.
 *
 * @param on the page of the form
 * @param below what the path has after that of the page
 * @param access who may run it
 * @param body the schema of the API route with the same operation
 * @param run runs the operation; returns where to go next (default: the page), or a page with what is shown only once
 * @param file the field with a file, which `run` finds as the body of the request
 * @throws what `run` throws, if it is not about the form
 */
export function actionOn<const Access extends PageAccess, Body extends TSchema>(
  on: Page,
  below: string,
  access: Access,
  body: Body,
  run: (
    context: PageContext<Access> & { change: PageChange },
    body: Static<Body>,
  ) => Promise<View | Redirect | Response | undefined>,
  file?: { name: string; maxBytes: number },
): Route {
  const readBody = bodyReader(body)
  return {
    method: 'POST',
    path: `${on.path}${below}`,
    access,
    body,
    maxFileBytes: file?.maxBytes,
    async answer(request, params) {
      const context = contextOf(request)
      const { pathname, search } = new URL(request.url)
      const home = pathOf(on.path, params)
      requireOwnOrigin(request)
      // The path of a link that contains a token is the same for its page and its action.
      const next = context.path === home ? home + search : home
      const parsed = () => (file ? takeFile(request, file.name) : parseForm(context.bytes))
      const unsigned = async () => signInFirst(request, next, body, context.bodyProblem || file ? NOTHING : await parsed())
      let visit: Visit
      try {
        visit = { request, params, access, ...(await admit(request, params, access)), live: null }
      } catch (error) {
        if (isUnauthenticated(error)) return unsigned()
        if (!context.bodyProblem) requireSameAccount(context.caller, take(await parsed(), ACCOUNT_ID))
        throw error
      }
      if (context.bodyProblem) throw context.bodyProblem
      const form = await parsed()
      const accountId = take(form, ACCOUNT_ID)
      const made_from = take(form, MADE_FROM)
      const kept = takeKept(form)
      const again = take(form, REDISPLAY)
      const shownAgain = (problem: Problem | null): Refused => ({
        ...refusedForm(pathname + search, form, problem, typedInto(body, form)),
        made_from,
        again,
      })
      try {
        requireSameAccount(visit.caller, accountId)
        if (again !== null) {
          const typed = shownAgain(null)
          return await html(visit, home, 200, on.show(visit, typed), typed)
        }
        const conditional = asIfMatch(request.url, made_from)
        const change: PageChange = (work) => inTransaction(context, work)
        const given = { ...contextFor(visit, access, null), request: conditional ?? request, query: {}, change }
        const done = (await run(given as unknown as PageContext<Access> & { change: PageChange }, readBody(form))) ?? {}
        if (done instanceof Response) return done
        if ('main' in done) return await html(visit, home, 200, Promise.resolve(done), null, kept)
        const waiting = done.session && kept !== null ? keptIn(kept) : null
        return waiting ? backToForm(request, waiting, done) : redirect(request, { ...done, to: done.to ?? home })
      } catch (error) {
        if (isUnauthenticated(error)) return unsigned()
        if (!(error instanceof Problem) || isForPage(error)) throw error
        const problem = error.code === 'precondition_failed' ? editedMeanwhile() : error
        const refused = shownAgain(problem)
        const { 'WWW-Authenticate': _, ...headers } = problem.headers
        Object.assign(context.headers, headers)
        return html(visit, home, problem.status, on.show(visit, refused), refused, kept)
      }
    },
  }
}

/** What the fields in addition to a file, and the boundaries, take. */
const FORM_ROOM = 16_384

const kindOf = (access: PageAccess): string => ('open' in access ? 'open' : 'operator' in access ? 'operator' : 'inSession')

/** The routes of pages and actions, hidden from the OpenAPI document. */
export function pageRoutes(name: string, ...routes: Route[]) {
  const app = new Elysia({ name })
  for (const { method, path, access, answer, body, maxFileBytes } of routes) {
    addPagePath(method, path)
    const { kind, role } = requirementOf(access) ?? { kind: kindOf(access), role: undefined }
    const detail = {
      hide: true,
      'x-page': true,
      'x-access': { kind, role },
      'x-operation': {
        ...(body ? { body } : {}),
        ...(method === 'POST' ? { consumes: [maxFileBytes === undefined ? FORM : UPLOAD] } : {}),
        ...(maxFileBytes === undefined ? {} : { maxBytes: maxFileBytes + FORM_ROOM }),
      },
    }
    app.route(method, path, ({ request, params, server }) => answer(request, (params ?? {}) as Record<string, string>, server), {
      detail: detail as object,
    })
  }
  return app
}
