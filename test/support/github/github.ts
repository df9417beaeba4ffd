/**
 * A stand-in of GitHub: its REST API, its pages for apps, its webhooks. It holds to GitHub's reference and refuses what GitHub
 * refuses, so that tests notice wrong calls.
 *
 * ```ts
 * await using github = startGithub()
 * const ada = github.createPerson('ada')
 * const acme = github.createOrganization('acme', { owners: [ada] })
 * const shop = github.createRepository(acme, 'shop', { isPrivate: true })
 * const { app, credentials } = github.registerApp(acme, manifest)
 * github.install(app, acme)
 * github.protect(shop, 'production', app)
 * const run = github.startRun(shop, { environment: 'production', actor: ada }) // waits; the app gets a webhook
 * await github.until(() => run.gate('production').state === 'approved')
 * run.finish('success')
 * ```
 */
import { PATIENCE_MS } from '../patience.ts'
import { Apps } from './apps.ts'
import { type Fault, Limits } from './limits.ts'
import { OAuth } from './oauth.ts'
import { type ApiCall, ApiServer } from './server.ts'
import type { Delivery } from './webhooks.ts'
import { Website } from './website.ts'
import type { Account, Installation, Person, Repository } from './world.ts'

export interface GithubOptions {
  port?: number
  /**
   * `enterprise` (default): an Enterprise Server. Its API is `{url}/api/v3`; it has no rate limits, and delivers to private
   * addresses. `github.com`: the API has an origin of its own and limits of 5,000 requests an hour; no webhooks to loopback.
   */
  flavor?: 'enterprise' | 'github.com'
  /** Requests an hour of an installation or a user; null: no limit. */
  rateLimit?: number | null
}

/** How an API request fails. */
export interface FaultOptions {
  /** 502 by default. */
  status?: number
  /** How many requests fail; by default all until `end()`. */
  times?: number
  /** Only requests of this method. */
  method?: string
  /** Only requests whose path, below the base of the API, matches. */
  path?: RegExp
  /** Never answers; the caller has to give up. */
  hangs?: boolean
}

/** Starts a GitHub. */
export function startGithub({ port = 0, flavor = 'enterprise', rateLimit }: GithubOptions = {}): Github {
  const serve = (at: number, fetch: (request: Request) => Promise<Response>) =>
    Bun.serve({ port: at, hostname: '127.0.0.1', idleTimeout: 120, fetch })
  const originOf = ({ port: at }: Bun.Server<undefined>) => `http://127.0.0.1:${at}`
  const isEnterprise = flavor === 'enterprise'
  const website = serve(port, (request) => github.visit(request))
  const api = isEnterprise ? null : serve(0, (request) => github.request(request, new URL(request.url).pathname))
  const base = api ? originOf(api) : `${originOf(website)}/api/v3`
  const limit = rateLimit === undefined && !isEnterprise ? 5_000 : (rateLimit ?? null)
  const github: Github = new Github(api ? [website, api] : [website], originOf(website), base, isEnterprise, limit)
  return github
}

export class Github extends Apps implements AsyncDisposable {
  readonly limits: Limits
  readonly oauth: OAuth
  readonly website: Website
  readonly #api: ApiServer
  readonly #watchers = new Set<() => void>()

  constructor(
    private readonly servers: Bun.Server<undefined>[],
    /** The origin of the website. */
    readonly url: string,
    /** The base of the API. */
    readonly api: string,
    isEnterprise: boolean,
    rateLimit: number | null,
  ) {
    super(url, api, isEnterprise)
    this.limits = new Limits(this.world, rateLimit)
    this.oauth = new OAuth(this.world)
    this.website = new Website(this.world, this.oauth, {
      register: (owner, manifest) => this.registerApp(owner, manifest).credentials,
      install: (app, account, by, repositories) => this.install(app, account, { by, repositories: repositories ?? 'all' }),
    })
    const { world, events, webhooks, website, limits } = this
    this.#api = new ApiServer({ world, events, webhooks, website, limits })
    this.world.onChange = () => {
      for (const watcher of this.#watchers) watcher()
    }
  }

  /** Answers a request to the website's origin, below which an Enterprise Server has its API. */
  visit(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const isApi = this.world.isEnterprise && pathname.startsWith('/api/v3/')
    return isApi ? this.request(request, pathname.slice('/api/v3'.length)) : this.website.handle(request)
  }

  /** Answers a request to the API. */
  request(request: Request, path: string): Promise<Response> {
    return this.#api.handle(request, path)
  }

  /** All requests to the API so far. */
  get calls(): ApiCall[] {
    return this.#api.calls
  }

  /** The requests of an operation, as GitHub's reference names it: `POST /repos/{owner}/{repo}/statuses/{sha}`. */
  callsOf(operation: string): ApiCall[] {
    return this.calls.filter(({ method, operation: path }) => `${method} ${path}` === operation)
  }

  /**
   * Resolves when a condition holds. It is looked at after each request, each webhook and each change of a run.
   *
   * @throws Error when it does not come to hold
   */
  until(isTrue: () => boolean, what = 'the condition'): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!isTrue()) return
        this.#watchers.delete(look)
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#watchers.delete(look)
        reject(new Error(`GitHub: ${what} did not come within ${PATIENCE_MS} ms`))
      }, PATIENCE_MS)
      this.#watchers.add(look)
      look()
    })
  }

  /** Resolves with the requests of an operation when there are enough of them. */
  async waitForCalls(operation: string, count = 1): Promise<ApiCall[]> {
    await this.until(
      () => this.callsOf(operation).filter(({ status }) => status !== 0).length >= count,
      `${count} × ${operation}`,
    )
    return this.callsOf(operation)
  }

  /** Ends the server; what is under way is cut. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop(true)))
  }

  /** Resolves when all webhooks that are not held back were answered. */
  settled(): Promise<void> {
    return this.until(() => this.webhooks.isSettled, 'settled webhooks')
  }

  /** Resolves with the deliveries of an event when enough of them were answered. */
  async delivered(event: string, action?: string, count = 1): Promise<Delivery[]> {
    const found = () => this.webhooks.of(event, action).filter(({ duration }) => duration !== null)
    await this.until(() => found().length >= count, `${count} × ${event}`)
    return found()
  }

  // Faults and limits

  /** Makes requests to the API fail, with a bad gateway unless told otherwise. */
  failFor({ status = 502, times = Number.POSITIVE_INFINITY, method, path, hangs = false }: FaultOptions = {}): Fault {
    const text =
      status === 502 ? '<html><head><title>502 Bad Gateway</title></head></html>' : JSON.stringify({ message: 'Server Error' })
    const headers = { 'Content-Type': status === 502 ? 'text/html' : 'application/json; charset=utf-8' }
    return this.limits.addFault({
      matches: (given, at) => (method === undefined || given === method) && (path === undefined || path.test(at)),
      answer: (signal) => {
        if (!hangs) return new Response(text, { status, headers })
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(new Response(null, { status: 499 }))))
      },
      left: times,
    })
  }

  /** Holds requests to the API back, as a slow GitHub does, until `end()`. @param path below the base of the API */
  hold(path: RegExp): Fault {
    const { promise, resolve } = Promise.withResolvers<null>()
    const fault = this.limits.addFault({
      matches: (_, at) => path.test(at),
      answer: () => promise,
      left: Number.POSITIVE_INFINITY,
    })
    return {
      end: () => {
        fault.end()
        resolve(null)
      },
      get hits() {
        return fault.hits
      },
    }
  }

  /** Uses up the requests of an installation, for an hour. */
  exhaust(installation: Installation): void {
    this.limits.exhaust(`installation ${installation.id}`)
  }

  /** Holds requests back by a secondary limit. @param retryAfter in seconds; null: GitHub does not say for how long */
  limitSecondary(installation: Installation | null, retryAfter: number | null = 60, status: 403 | 429 = 403): void {
    this.limits.limitSecondary(installation ? `installation ${installation.id}` : '*', retryAfter, status)
  }

  // People in a browser

  /**
   * A person opens an address of GitHub, and presses the button of its page.
   *
   * @param values what they fill in, beside what the page holds
   * @returns where GitHub sends the browser
   * @throws Error when GitHub shows a page that refuses
   */
  async press(
    person: Person,
    href: string,
    values: Record<string, string | string[]> = {},
    posted?: Record<string, string>,
  ): Promise<string> {
    const headers = { Cookie: this.website.cookieOf(person) }
    const first = posted ? { method: 'POST', body: new URLSearchParams(posted) } : {}
    const shown = await fetch(href, { ...first, headers, redirect: 'manual' })
    const location = shown.headers.get('location')
    if (location) return location
    const html = await shown.text()
    if (!shown.ok) throw new Error(html)
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(html) ?? []
    const fields = new URLSearchParams()
    for (const [, name = '', value = ''] of html.matchAll(/<input[^>]* name="(\w+)"[^>]* value="([^"]*)"/g))
      fields.set(name, unescaped(value))
    for (const [name, value] of Object.entries(values)) {
      fields.delete(name)
      for (const each of [value].flat()) fields.append(name, each)
    }
    const answer = await fetch(new URL(action || href, href), { method: 'POST', body: fields, headers, redirect: 'manual' })
    const target = answer.headers.get('location')
    if (!target) throw new Error(await answer.text())
    return target
  }

  /** A person registers an app from the manifest that a form posts. @returns where GitHub sends the browser, with a code */
  createApp(person: Person, action: string, manifest: string): Promise<string> {
    return this.press(person, action, {}, { manifest })
  }

  /** A person authorizes an app, or denies it. @param href as the app sends the browser to `/login/oauth/authorize` */
  authorize(person: Person, href: string, isAllowed = true): Promise<string> {
    return this.press(person, href, { authorize: isAllowed ? '1' : '0' })
  }

  /** A person installs an app on an account from its page, or asks the owners for it. */
  installInBrowser(person: Person, href: string, account: Account, repositories: Repository[] = []): Promise<string> {
    return this.press(person, href, { account: account.login, repository: repositories.map(({ name }) => name) })
  }
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
