/** The API as HTTP: credentials, redirects, limits, conditional requests, and a log of all calls. */
import { createHash } from 'node:crypto'
import { appApi } from './app-api.ts'
import { readBody } from './body.ts'
import { commitsApi } from './commits-api.ts'
import { authorize, type Caller, readCaller, sees } from './credentials.ts'
import type { Limits } from './limits.ts'
import { badCredentials, bodyOf, notAccessible, notFound, noWebToken, Refusal, requiresAuthentication } from './problems.ts'
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

const ROUTES = routesOf(appApi, userApi, repositoryApi, runsApi, commitsApi)
const REDIRECTS = 'https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects'
const VERSIONS = ['2022-11-28', '2026-03-10']

export class ApiServer {
  readonly calls: ApiCall[] = []

  constructor(
    private readonly context: Context,
    private readonly limits: Limits,
  ) {}

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
    const response = await this.#respond(call, request, path, url.searchParams, text)
    call.status = response.status
    if (response.status >= 200 && response.status !== 204 && response.status !== 304)
      call.answer = parsed(await response.clone().text())
    world.onChange()
    return response
  }

  async #respond(call: ApiCall, request: Request, path: string, query: URLSearchParams, text: string): Promise<Response> {
    const { world } = this.context
    const common: Record<string, string> = {
      'X-GitHub-Request-Id': crypto.randomUUID().replaceAll('-', ':').toUpperCase(),
      'X-GitHub-Media-Type': 'github.v3; format=json',
      ...(world.isEnterprise ? { 'X-GitHub-Enterprise-Version': '3.19.0' } : {}),
    }
    const documentation = world.isEnterprise
      ? 'https://docs.github.com/enterprise-server@3.19/rest'
      : 'https://docs.github.com/rest'
    try {
      const fault = await this.limits.fault(request.method, path, request.signal)
      if (fault) return fault
      const { caller, route, parameters } = this.#find(call, request, path)
      Object.assign(common, this.limits.count(caller, request.method))
      const body = { parameters, query, caller, text, url: new URL(`${world.api}${path}?${query}`) }
      const answer = this.#answer(route, body)
      return this.#send(request, answer, common)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // A refusal of a limit carries its own headers.
      const headers = { ...common, ...error.extra.headers }
      return Response.json(bodyOf(error, documentation), { status: error.status, headers })
    }
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

  #answer(route: Route, given: Omit<Call, keyof Context | 'body'> & { text: string }) {
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
      return { app: caller.app }
    }
    if (by === 'repository') {
      if (caller.kind === 'app') throw badCredentials()
      const repository = this.#repository(caller, parameters, method, url)
      if (isAppOnly && caller.kind === 'user') throw notAccessible()
      authorize(caller, repository, needs)
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
    answer: { status: number; body: unknown; headers?: Record<string, string> },
    common: Record<string, string>,
  ) {
    const headers = { ...common, ...answer.headers }
    if (answer.status === 204) return new Response(null, { status: 204, headers })
    const text = JSON.stringify(answer.body)
    const all: Record<string, string> = { ...headers, 'Content-Type': 'application/json; charset=utf-8' }
    if (request.method === 'GET' && answer.status === 200) {
      const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`
      Object.assign(all, { ETag: etag, 'Cache-Control': 'private, max-age=60, s-maxage=60', Vary: 'Accept, Authorization' })
      const known = request.headers.get('if-none-match')?.split(/,\s*/) ?? []
      if (known.includes(etag)) {
        // Conditional requests that find nothing new do not count.
        this.limits.uncount()
        return new Response(null, { status: 304, headers: all })
      }
    }
    return new Response(request.method === 'HEAD' ? null : text, { status: answer.status, headers: all })
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}
