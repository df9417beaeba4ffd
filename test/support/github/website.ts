/** The pages of GitHub that a person meets: registering an app, installing it, authorizing it. */
import type { OAuth } from './oauth.ts'
import { type AppCredentials, type Manifest, problemOfManifest, randomText } from './registration.ts'
import type { Account, App, Installation, Person, Repository, World } from './world.ts'

/** What people decide on the pages. */
export interface Decisions {
  /** @throws Error when the name is taken */
  register(owner: Account, manifest: Manifest): AppCredentials
  install(app: App, account: Account, by: Person, selected: Repository[] | null): Installation
}

interface Conversion {
  credentials: AppCredentials
  expiresAt: number
}

const escaped = (text: string): string => Bun.escapeHTML(text)

const page = (title: string, body: string, status = 200): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title><h1>${escaped(title)}</h1>${body}</html>`,
    {
      status,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    },
  )

const form = (action: string, fields: Record<string, string>, rest: string): string => {
  const hidden = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
  return `<form method="post" action="${escaped(action)}">${hidden.join('')}${rest}</form>`
}

const redirect = (location: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: 302, headers: { Location: location, ...headers } })

/** Adds parameters to an address, those without a value aside. */
function withQuery(address: string, values: Record<string, string | null | undefined>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(values)) if (value !== null && value !== undefined) url.searchParams.set(name, value)
  return url.href
}

export class Website {
  readonly #conversions = new Map<string, Conversion>()
  /** Requests of people who may not install. */
  readonly requests: { app: App; account: Account; by: Person }[] = []
  /** Who looks at the pages in a browser without a cookie of this GitHub. */
  visitor: Person | null = null

  constructor(
    private readonly world: World,
    private readonly oauth: OAuth,
    private readonly decisions: Decisions,
  ) {}

  /** The credentials of a registered app, once, within an hour. */
  convert(code: string): AppCredentials | null {
    const found = this.#conversions.get(code)
    this.#conversions.delete(code)
    return found && found.expiresAt > this.world.clock.now() ? found.credentials : null
  }

  /** The header by which a browser shows who it is. */
  cookieOf = ({ login }: Person): string => `user_session=${encodeURIComponent(login)}`

  async handle(request: Request): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url)
    const isPost = request.method === 'POST'
    const given = isPost ? await readForm(request, query) : query
    if (isPost && pathname === '/login/oauth/access_token') return this.oauth.answer(given, request.headers.get('accept'))
    if (pathname === '/login') return this.#login(isPost, given)
    const visitor = this.#visitorOf(request)
    if (!visitor)
      return redirect(`/login?${new URLSearchParams({ return_to: isPost ? '/' : `${pathname}${new URL(request.url).search}` })}`)
    const [, organization] = /^\/organizations\/([^/]+)\/settings\/apps(?:\/new)?$/.exec(pathname) ?? []
    const isNew = pathname === '/settings/apps/new' || (organization !== undefined && pathname.endsWith('/new'))
    if (isPost && isNew) return this.#showManifest(visitor, organization, given, query)
    if (isPost && (pathname === '/settings/apps' || organization !== undefined))
      return this.#register(visitor, organization, given)
    // An Enterprise Server has the pages of apps elsewhere than github.com.
    const apps = this.world.isEnterprise
      ? /^\/github-apps\/([^/]+)\/installations\/new$/
      : /^\/apps\/([^/]+)\/installations\/new$/
    const [, slug] = apps.exec(pathname) ?? []
    if (slug !== undefined) return isPost ? this.#install(visitor, slug, given) : this.#showInstall(visitor, slug, query)
    if (pathname === '/login/oauth/authorize')
      return isPost ? this.#authorize(visitor, given) : this.#showAuthorize(visitor, query)
    return page('Page not found', '', 404)
  }

  #visitorOf(request: Request): Person | null {
    const [, login] = /(?:^|;\s*)user_session=([^;]+)/.exec(request.headers.get('cookie') ?? '') ?? []
    return (login === undefined ? undefined : this.world.person(decodeURIComponent(login))) ?? this.visitor
  }

  #login(isPost: boolean, given: URLSearchParams): Response {
    const target = given.get('return_to') ?? '/'
    const person = this.world.person(given.get('login') ?? '')
    if (isPost && person) return redirect(target, { 'Set-Cookie': `${this.cookieOf(person)}; Path=/; HttpOnly; SameSite=Lax` })
    const people = this.world.accounts.filter((each) => each.kind === 'User' && !each.isBot)
    const buttons = people.map(
      ({ login }) => `<button name="login" value="${escaped(login)}">Sign in as ${escaped(login)}</button>`,
    )
    return page('Sign in to GitHub', form('/login', { return_to: target }, buttons.join('')))
  }

  /** The account that is to own an app; null if the visitor may not register one there. */
  #ownerOf(visitor: Person, organization: string | undefined): Account | null {
    if (organization === undefined) return visitor
    const found = this.world.accountOf(organization)
    return found?.kind === 'Organization' && found.members.get(visitor) === 'admin' ? found : null
  }

  #showManifest(visitor: Person, organization: string | undefined, given: URLSearchParams, query: URLSearchParams): Response {
    const owner = this.#ownerOf(visitor, organization)
    if (!owner) return page('Page not found', '', 404)
    const refused = (problem: string) =>
      page(
        'Invalid GitHub App configuration',
        `<p>The configuration does not appear to be a valid GitHub App manifest.</p><p>Error: ${escaped(problem)}</p>`,
        422,
      )
    const text = given.get('manifest')
    if (text === null) return refused('manifest is missing')
    let manifest: unknown
    try {
      manifest = JSON.parse(text)
    } catch {
      return refused('manifest is not valid JSON')
    }
    if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) return refused('manifest is not an object')
    const problem = problemOfManifest(this.world, manifest as Record<string, unknown>)
    if (problem) return refused(problem)
    const { name = '' } = manifest as Manifest
    const action = organization === undefined ? '/settings/apps' : `/organizations/${organization}/settings/apps`
    const field = `<label>GitHub App name <input name="name" required maxlength="34" value="${escaped(name)}"></label>`
    const button = `<button>Create GitHub App for ${escaped(owner.login)}</button>`
    return page('Create GitHub App', form(action, { manifest: text, state: query.get('state') ?? '' }, field + button))
  }

  #register(visitor: Person, organization: string | undefined, given: URLSearchParams): Response {
    const owner = this.#ownerOf(visitor, organization)
    if (!owner) return page('Page not found', '', 404)
    const manifest = { ...(JSON.parse(given.get('manifest') ?? '{}') as Manifest), name: given.get('name') ?? '' }
    const problem = problemOfManifest(this.world, { ...manifest })
    if (problem) return page('Create GitHub App', `<p>${escaped(problem)}</p>`, 422)
    let credentials: AppCredentials
    try {
      credentials = this.decisions.register(owner, manifest)
    } catch (error) {
      return page('Create GitHub App', `<p>${escaped(String(error))}</p>`, 422)
    }
    const code = randomText(40).toLowerCase()
    this.#conversions.set(code, { credentials, expiresAt: this.world.clock.now() + 3_600_000 })
    if (manifest.redirect_url === undefined) return page(manifest.name, '')
    return redirect(withQuery(manifest.redirect_url, { code, state: given.get('state') || null }))
  }

  /** The accounts on which a person can install an app, or ask for it. */
  #targetsOf(visitor: Person, app: App): Account[] {
    const own = this.world.accounts.filter(
      (each) => each === visitor || (each.kind === 'Organization' && each.members.has(visitor)),
    )
    // A private app can only be installed on the account that owns it.
    return own.filter((account) => app.isPublic || account === app.owner)
  }

  #showInstall(visitor: Person, slug: string, query: URLSearchParams): Response {
    const app = this.world.apps.find((each) => each.slug === slug)
    const targets = app ? this.#targetsOf(visitor, app) : []
    if (!app || targets.length === 0) return page('Page not found', '', 404)
    const buttons = targets.map(
      ({ login }) => `<button name="account" value="${escaped(login)}">Install on ${escaped(login)}</button>`,
    )
    return page(`Install ${app.name}`, form('', { state: query.get('state') ?? '' }, buttons.join('')))
  }

  #install(visitor: Person, slug: string, given: URLSearchParams): Response {
    const app = this.world.apps.find((each) => each.slug === slug)
    const account = app && this.#targetsOf(visitor, app).find(({ login }) => login === given.get('account'))
    if (!app || !account) return page('Page not found', '', 404)
    const state = given.get('state') || null
    const back = (values: Record<string, string | null>) =>
      app.setupUrl === null ? page(app.name, '') : redirect(withQuery(app.setupUrl, values))
    const isOwner = account === visitor || (account.kind === 'Organization' && account.members.get(visitor) === 'admin')
    if (!isOwner) {
      this.requests.push({ app, account, by: visitor })
      return back({ setup_action: 'request', state })
    }
    const names = given.getAll('repository')
    const selected =
      names.length === 0 ? null : this.world.repositories.filter(({ owner, name }) => owner === account && names.includes(name))
    const existing = this.world.installations.find((each) => each.app === app && each.account === account)
    const installation = existing ?? this.decisions.install(app, account, visitor, selected)
    return back({ installation_id: String(installation.id), setup_action: existing ? 'update' : 'install', state })
  }

  #showAuthorize(visitor: Person, query: URLSearchParams): Response {
    const app = this.world.apps.find(({ clientId }) => clientId === query.get('client_id'))
    if (!app) return page('Page not found', '', 404)
    const [registered] = app.callbackUrls
    if (registered === undefined) return page('Oops', '<p>This application has no callback URL.</p>', 400)
    const state = query.get('state')
    const failed = (error: string, error_description: string) =>
      redirect(withQuery(registered, { error, error_description, state }))
    const wanted = query.get('redirect_uri')
    if (wanted !== null && !app.callbackUrls.includes(wanted))
      return failed('redirect_uri_mismatch', 'The redirect_uri MUST match the registered callback URL for this application.')
    const [challenge, method] = [query.get('code_challenge'), query.get('code_challenge_method')]
    if (challenge !== null && (method !== 'S256' || !/^[\w-]{43}$/.test(challenge)))
      return failed('invalid_request', 'Only the S256 code challenge method is accepted.')
    const fields = Object.fromEntries(query)
    // Those who authorized it before see no page.
    if (app.authorizedBy.has(visitor)) return this.#authorize(visitor, new URLSearchParams({ ...fields, authorize: '1' }))
    const buttons = '<button name="authorize" value="1">Authorize</button><button name="authorize" value="0">Cancel</button>'
    return page(`Authorize ${app.name}`, form('/login/oauth/authorize', fields, buttons))
  }

  #authorize(visitor: Person, given: URLSearchParams): Response {
    const app = this.world.apps.find(({ clientId }) => clientId === given.get('client_id'))
    const redirectUri = given.get('redirect_uri')
    const target = redirectUri ?? app?.callbackUrls[0]
    if (!app || target === undefined || !app.callbackUrls.includes(target)) return page('Page not found', '', 404)
    const state = given.get('state')
    if (given.get('authorize') !== '1') {
      const error_description = 'The user has denied your application access.'
      return redirect(withQuery(target, { error: 'access_denied', error_description, state }))
    }
    const code = this.oauth.issueCode({ app, person: visitor, redirectUri, challenge: given.get('code_challenge') })
    return redirect(withQuery(target, { code, state }))
  }
}

/** A form, JSON, or the query: GitHub takes any of them. */
async function readForm(request: Request, query: URLSearchParams): Promise<URLSearchParams> {
  const text = await request.text()
  const given = new URLSearchParams(query)
  const isJson = request.headers.get('content-type')?.startsWith('application/json')
  const entries = isJson ? Object.entries(JSON.parse(text || '{}')) : [...new URLSearchParams(text)]
  for (const [name] of entries) given.delete(name)
  for (const [name, value] of entries) given.append(name, String(value))
  return given
}
