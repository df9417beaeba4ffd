/** The API as HTTP: credentials, redirects, limits, conditional requests, and a log of all calls. */
import { createHash } from 'node:crypto'
import { appApi } from './app-api.ts'
import { readBody } from './body.ts'
import { commitsApi } from './commits-api.ts'
import { authorize, type Caller, listed, readCaller, sees } from './credentials.ts'
import {
  badCredentials,
  bodyOf,
  gateProblems,
  notAccessible,
  notFound,
  noWebToken,
  Refusal,
  requiresAuthentication,
} from './problems.ts'
import { repositoryApi } from './repository-api.ts'
import { type Call, type Context, type Route, routesOf } from './routing.ts'
import { runsApi } from './runs-api.ts'
import { userApi } from './user-api.ts'
import type { Repository } from './world.ts'

/** A request, and what was answered. */
export interface ApiCall {
  method: string
  /** Below the base of the API, with the query. */
  path: string
  /** As in GitHub's reference, such as `/repos/{owner}/{repo}`; null if it has no such operation. */
  operation: string | null
  headers: Record<string, string>
  /** The parsed body, or null. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  body: any
  caller: Caller['kind']
  at: number
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  answer: any
}

type Answer = ReturnType<Route['answer']>

const ROUTES = routesOf(appApi, userApi, repositoryApi, runsApi, commitsApi)
const REDIRECTS = 'https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects'
const VERSIONS = ['2022-11-28', '2026-03-10']

export class ApiServer {
  readonly calls: ApiCall[] = []
  /** The reviews under way, by run and environment. */
  readonly #reviews = new Set<string>()

  constructor(private readonly context: Context) {}

  /** @param path below the base of the API */
  async handle(request: Request, path: string): Promise<Response> {
    const { world } = this.context
    const url = new URL(request.url)
    const text = await request.text()
    const call: ApiCall = {
      method: request.method,
      path: `${path}${url.search}`,
      operation: null,
      headers: Object.fromEntries(request.headers),
      body: parsed(text),
      caller: 'nobody',
      at: world.clock.now(),
      status: 0,
      answer: null,
    }
    this.calls.push(call)
    const response = await this.#inTurn(call, () => this.#respond(call, request, path, url.searchParams, text))
    call.status = response.status
    if (response.status >= 200 && response.status !== 204 && response.status !== 304)
      call.answer = parsed(await response.clone().text())
    world.onChange()
    return response
  }

  /** Refuses the review of a run and environment while another is under way, as GitHub fails at that. */
  async #inTurn({ method, path, body }: ApiCall, respond: () => Promise<Response>): Promise<Response> {
    if (method !== 'POST' || !path.endsWith('/deployment_protection_rule')) return respond()
    const key = `${path} ${String(body?.environment_name).toLowerCase()}`
    if (this.#reviews.has(key)) return this.#refuse(gateProblems.concurrent(), {})
    this.#reviews.add(key)
    return respond().finally(() => this.#reviews.delete(key))
  }

  async #respond(call: ApiCall, request: Request, path: string, query: URLSearchParams, text: string): Promise<Response> {
    const { world, limits } = this.context
    const common: Record<string, string> = {
      'X-GitHub-Request-Id': crypto.randomUUID().replaceAll('-', ':').toUpperCase(),
      'X-GitHub-Media-Type': 'github.v3; format=json',
      ...(world.isEnterprise ? { 'X-GitHub-Enterprise-Version': '3.19.0' } : {}),
    }
    try {
      const fault = await limits.fault(request.method, path, request.signal)
      if (fault) return fault
      const { caller, route, parameters } = this.#find(call, request, path)
      // Asking for the limits does not count.
      const charge = route.path === '/rate_limit' ? null : limits.count(caller, request.method)
      if (route.by === 'repository') common['X-Accepted-GitHub-Permissions'] = listed(route.needs)
      try {
        const given = { parameters, query, caller, text, url: new URL(`${world.api}${path}?${query}`) }
        return this.#send(request, this.#answer(route, given), { ...common, ...charge?.headers() }, charge?.refund)
      } catch (error) {
        throw error instanceof Refusal ? error.with(charge?.headers() ?? {}) : error
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.#refuse(error, common)
    }
  }

  #refuse(refusal: Refusal, common: Record<string, string>): Response {
    const server = this.context.world.isEnterprise ? '/enterprise-server@3.19' : ''
    const body = bodyOf(refusal, `https://docs.github.com${server}/rest`)
    return Response.json(body, { status: refusal.status, headers: { ...common, ...refusal.extra.headers } })
  }

  #find(call: ApiCall, request: Request, path: string): { caller: Caller; route: Route; parameters: Record<string, string> } {
    const { world } = this.context
    if (!request.headers.get('user-agent')) throw new Refusal(403, 'Request forbidden by administrative rules.')
    const version = request.headers.get('x-github-api-version')
    if (version !== null && !VERSIONS.slice(0, world.isEnterprise ? 1 : 2).includes(version))
      throw new Refusal(400, `The version ${version} is not a supported version.`)
    // Reading the caller comes before the path: who sends a wrong token learns nothing about paths.
    const caller = readCaller(world, request.headers.get('authorization'))
    call.caller = caller.kind
    // A repository has its number as well as its name.
    const [, id, rest = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? []
    const numbered = id === undefined ? undefined : world.repositories.find((each) => each.id === Number(id))
    const named = numbered ? `/repos/${numbered.owner.login}/${numbered.name}${rest}` : path
    const method = request.method === 'HEAD' ? 'GET' : request.method
    for (const route of ROUTES) {
      const values = route.method === method ? route.pattern.exec(named) : null
      if (!values) continue
      const parameters = Object.fromEntries(route.names.map((name, index) => [name, decodeURIComponent(values[index + 1] ?? '')]))
      call.operation = route.path
      return { caller, route, parameters }
    }
    throw notFound()
  }

  #answer(route: Route, given: Omit<Call, keyof Context | 'body'> & { text: string }): Answer {
    const { caller, parameters, text } = given
    const subject = this.#subject(route, caller, parameters, given.url)
    const body = route.takes ? readBody(text, route.takes) : undefined
    return route.answer({ ...this.context, ...given, ...subject, body })
  }

  /** Checks who calls, and finds what the operation is on. */
  #subject({ by, needs, isAppOnly, method }: Route, caller: Caller, parameters: Record<string, string>, url: URL) {
    if (by === 'anyone') return {}
    if (by === 'app') {
      if (caller.kind !== 'app') throw noWebToken()
      if (parameters.repo === undefined) return { app: caller.app }
      return { app: caller.app, repository: this.#repository(caller, parameters, method, url) }
    }
    if (by === 'repository') {
      if (caller.kind === 'app') throw badCredentials()
      const repository = this.#repository(caller, parameters, method, url)
      if (isAppOnly && caller.kind === 'user') throw notAccessible()
      authorize(this.context.world, caller, repository, needs)
      return { repository }
    }
    if (caller.kind === 'nobody') throw requiresAuthentication()
    if (by === 'user') {
      if (caller.kind !== 'user') throw notAccessible()
      return { token: caller }
    }
    if (caller.kind !== 'installation') throw notAccessible()
    return { token: caller, installation: caller.installation }
  }

  /** @throws Refusal 404, or a redirect when the repository has another name now */
  #repository(caller: Caller, { owner = '', repo = '' }: Record<string, string>, method: string, url: URL): Repository {
    const { world } = this.context
    const found = world.repositoryOf(owner, repo)
    if (found && sees(world, caller, found)) return found
    const moved = found ? undefined : world.formerNames.get(`${owner}/${repo}`.toLowerCase())
    if (!moved || !world.repositories.includes(moved) || !sees(world, caller, moved)) throw notFound()
    const rest = url.href.slice(`${world.api}/repos/${owner}/${repo}`.length).replace(/\?$/, '')
    const target = `${world.api}/repositories/${moved.id}${rest}`
    const extra = { headers: { Location: target }, documentation: REDIRECTS, body: { url: target } }
    throw new Refusal(method === 'GET' ? 301 : 307, 'Moved Permanently', extra)
  }

  #send(
    request: Request,
    { status, body, headers }: Answer,
    common: Record<string, string>,
    refund: (() => void) | undefined,
  ): Response {
    if (status === 204) return new Response(null, { status, headers: { ...common, ...headers } })
    const text = JSON.stringify(body)
    const all: Record<string, string> = { ...common, ...headers, 'Content-Type': 'application/json; charset=utf-8' }
    if (request.method === 'GET' && status === 200) {
      const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`
      Object.assign(all, { ETag: etag, 'Cache-Control': 'private, max-age=60, s-maxage=60', Vary: 'Accept, Authorization' })
      if (request.headers.get('if-none-match')?.split(/,\s*/).includes(etag)) {
        refund?.()
        return new Response(null, { status: 304, headers: all })
      }
    }
    return new Response(request.method === 'HEAD' ? null : text, { status, headers: all })
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}
