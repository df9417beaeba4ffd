/** An OpenID provider that does whatever a test wants: it signs what it is told, and answers as it is told. */
import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { type Key, makeKey, now } from '../oauth/issuer.ts'
import type { PageClient, Visit } from '../support/page-client.ts'
import { codeOf } from '../support/second-factors.ts'

/** A code, and what it is exchanged for. */
interface Code {
  parameters: URLSearchParams
  claims: object
  header: object
  /** Instead of the ID token. */
  token: ((claims: object) => string | Promise<string>) | null
}

interface Answer {
  claims?: object
  header?: object
  token?: (claims: object) => string | Promise<string>
  /** Of the URL to which the provider leads the browser back; undefined removes one. */
  parameters?: Record<string, string | undefined>
}

export const SECRET = 'secret of+the/client'

export class Provider {
  readonly client_id = 'signalbox'
  /** The paths of all requests. */
  readonly asked: string[] = []
  /** Members of the discovery document, in place of the usual ones. */
  discovery: object = {}
  /** Claims at the userinfo endpoint. */
  userinfo: object | null = null
  /** Answers instead of the usual ones. */
  answer: ((path: string, request: Request) => Response | undefined | Promise<Response | undefined>) | null = null
  /** The subject of the newest access token. */
  #last = ''
  readonly #codes = new Map<string, Code>()
  readonly #server: Bun.Server<undefined>

  private constructor(readonly key: Key) {
    this.#server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch: (request) => this.#serve(request) })
  }

  static async open(): Promise<Provider> {
    return new Provider(await makeKey('ES256', 'one'))
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  /** The settings of an instance whose people sign in here. */
  get environment(): Record<string, string> {
    return { OIDC_ISSUER: this.url, OIDC_CLIENT_ID: this.client_id, OIDC_CLIENT_SECRET: SECRET, OIDC_NAME: 'Acme ID' }
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    this.asked.push(pathname)
    const answer = await this.answer?.(pathname, request)
    if (answer) return answer
    if (pathname === '/.well-known/openid-configuration')
      return Response.json({
        issuer: this.url,
        authorization_endpoint: `${this.url}/authorize?tenant=1`,
        token_endpoint: `${this.url}/token`,
        userinfo_endpoint: `${this.url}/userinfo`,
        jwks_uri: `${this.url}/jwks`,
        authorization_response_iss_parameter_supported: true,
        ...this.discovery,
      })
    if (pathname === '/jwks') return Response.json({ keys: [this.key.jwk] })
    if (pathname === '/token') return this.#exchange(request)
    if (pathname === '/userinfo') return Response.json(this.userinfo ?? { sub: this.#last })
    return new Response('', { status: 404 })
  }

  async #exchange(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    const refused = (error: string) => Response.json({ error }, { status: 400 })
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const [user, password] = atob(request.headers.get('authorization')?.replace('Basic ', '') ?? '')
      .split(':')
      .map((part) => new URLSearchParams(`=${part}`).get(''))
    const isClient = user === this.client_id && password === SECRET
    const isPosted = form.get('client_id') === this.client_id && form.get('client_secret') === SECRET
    if (!isClient && !isPosted) return refused('invalid_client')
    if (!code) return refused('invalid_grant')
    const { parameters, claims, header, token } = code
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isSame = form.get('redirect_uri') === parameters.get('redirect_uri') && challenge === parameters.get('code_challenge')
    if (!isSame || parameters.get('code_challenge_method') !== 'S256') return refused('invalid_grant')
    const all = {
      ...{ iss: this.url, aud: this.client_id, sub: 'ada', iat: now(), exp: now() + 300, nonce: parameters.get('nonce') },
      ...claims,
    }
    this.#last = all.sub
    const id_token = token ? await token(all) : await this.sign(all, header)
    return Response.json({ id_token, access_token: 'access', token_type: 'Bearer' })
  }

  sign(claims: object, header: object = {}, { alg, kid, secret } = this.key): Promise<string> {
    return new SignJWT(claims as never).setProtectedHeader({ alg, kid, ...header }).sign(secret)
  }

  /** A person signs in there. @param at the URL to which the service led the browser @returns the URL to which it is led back */
  signIn(at: URL, { claims = {}, header = {}, token, parameters = {} }: Answer = {}): URL {
    const code = crypto.randomUUID()
    this.#codes.set(code, { parameters: at.searchParams, claims, header, token: token ?? null })
    const back = new URL(at.searchParams.get('redirect_uri') ?? '')
    const given = { code, state: at.searchParams.get('state') ?? '', iss: this.url, ...parameters }
    for (const [name, value] of Object.entries(given)) if (value !== undefined) back.searchParams.set(name, value)
    return back
  }
}

/** Presses the button of the page that leads to a provider. @returns where it leads */
export async function leave(client: PageClient, path = '/sign-in/sso/instance'): Promise<URL> {
  const response = await client.send('POST', path, '')
  const location = response.headers.get('location')
  if (response.status !== 303 || location === null)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return new URL(location)
}

/** The path of the URL to which a provider leads back. */
export const pathOf = ({ pathname, search }: URL): string => pathname + search

/** Signs on, from the button to the page that follows. */
export async function signOn(client: PageClient, provider: Provider, answer: Answer = {}, path?: string): Promise<Visit> {
  return client.open(pathOf(provider.signIn(await leave(client, path), answer)))
}

/** Sets up an authenticator app in the browser. @returns its secret */
export async function totpOf(browser: PageClient): Promise<string> {
  const page = await browser.open('/app/account/security')
  const setup = await browser.press(page, 'Set up')
  const secret = /[A-Z2-7]{32}/.exec(setup.text.replaceAll(' ', ''))?.[0] ?? ''
  await browser.press(setup, 'Confirm', { code: codeOf(secret) })
  return secret
}
