/** A program on the computer of a person, which asks to act for them: what it sends, and what the person does in their browser. */
import { createHash, randomBytes } from 'node:crypto'
import { message } from '../mcp/agents.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, type Answer, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'
import { ClientHost } from './client-host.ts'

type Fields = Record<string, string | undefined>

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

const form = (fields: Fields): string =>
  new URLSearchParams(Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined)).toString()

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** What a browser was sent to the client with. */
export interface Callback {
  /** Without its query. */
  at: string
  code: string
  parameters: Record<string, string>
}

export function callbackIn(location: string): Callback {
  const url = new URL(location)
  const parameters = Object.fromEntries(url.searchParams)
  return { at: url.origin + url.pathname, code: parameters.code ?? '', parameters }
}

/** Counted for all files: they share the API, which counts requests per address. */
let addresses = 0

export class ClientFlow {
  readonly verifier = randomBytes(32).toString('base64url')
  readonly redirect_uri: string

  private constructor(
    readonly box: Box,
    readonly host: ClientHost,
    readonly client_id: string,
    private readonly program: Bun.Server<undefined>,
  ) {
    this.redirect_uri = `http://127.0.0.1:${program.port}/callback`
  }

  static async open(environment: Record<string, string> = {}): Promise<ClientFlow> {
    const host = await ClientHost.open()
    const box = await signalbox({
      workers: 0,
      environment: { RATE_LIMIT: '1000', TRUST_PROXY: '1', ...host.environment, ...environment },
    })
    const program = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('You can close this page.') })
    return new ClientFlow(box, host, host.client(), program)
  }

  get issuer(): string {
    return this.box.base.replace('127.0.0.1', 'localhost')
  }

  get tools(): string {
    return `${this.issuer}/mcp`
  }

  async close(): Promise<void> {
    await this.box.close()
    await this.program.stop(true)
    await this.host.close()
  }

  /** Limits count each address by itself. */
  newAddress(): string {
    addresses += 1
    return `198.18.${addresses >> 8}.${addresses & 255}`
  }

  async browser({ email }: Actor): Promise<PageClient> {
    const visitor = new PageClient(this.box, this.newAddress())
    const { status } = await visitor.post('/sign-in', { email, password: PASSWORD })
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status}`)
    return visitor
  }

  /** Where the client sends the browser. @param more parameters, or others; undefined leaves one out */
  path(more: Fields = {}): string {
    return `/oauth/authorize?${form({
      response_type: 'code',
      client_id: this.client_id,
      redirect_uri: this.redirect_uri,
      code_challenge: challengeOf(this.verifier),
      code_challenge_method: 'S256',
      state: 'a state',
      scope: 'read write',
      resource: this.tools,
      ...more,
    })}`
  }

  ask = (visitor: PageClient, more: Fields = {}): Promise<Visit> => visitor.open(this.path(more))

  /** The person presses Allow. */
  async allow(
    visitor: PageClient,
    more: Fields = {},
    chosen: Record<string, string> = { organization_id: 'all' },
  ): Promise<Callback> {
    const done = await visitor.press(await this.ask(visitor, more), 'Allow', chosen)
    if (!done.path.startsWith('http')) throw new Error(`Not allowed: ${done.status} ${done.text}`)
    return callbackIn(done.path)
  }

  send = (path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Answer> =>
    this.box.request('POST', path, form(fields), { ...FORM, 'X-Forwarded-For': this.newAddress(), ...headers })

  exchange = (code: string, more: Fields = {}): Promise<Answer> =>
    this.send('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      client_id: this.client_id,
      redirect_uri: this.redirect_uri,
      code_verifier: this.verifier,
      resource: this.tools,
      ...more,
    })

  refresh = (refresh_token: string, more: Fields = {}): Promise<Answer> =>
    this.send('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: this.client_id,
      resource: this.tools,
      ...more,
    })

  /** A client that a person has allowed. */
  async tokens(visitor: PageClient, more: Fields = {}, chosen?: Record<string, string>): Promise<Answer['body']> {
    const { code } = await this.allow(visitor, more, chosen)
    const { status, body } = await this.exchange(code, 'resource' in more ? { resource: more.resource } : {})
    if (status !== 200) throw new Error(`No tokens: ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** The status of the tools for a token: 200 if it is accepted. */
  async toolsStatus(token: string): Promise<number> {
    const response = await fetch(`${this.box.base}/mcp`, message({ Authorization: `Bearer ${token}` }, 'tools/list'))
    await response.body?.cancel()
    return response.status
  }
}

/** A client, a person, and her browser in which she is signed in. */
export async function openFlow() {
  const flow = await ClientFlow.open()
  const ada = await flow.box.user('Ada')
  return { flow, ada, browser: await flow.browser(ada) }
}

/** The answer to a code or token that is not valid any more. */
export const GONE: [number, string] = [400, 'invalid_grant']

export const refusal = async (answer: Promise<Answer>): Promise<[number, string]> => {
  const { status, body } = await answer
  return [status, body.error]
}
