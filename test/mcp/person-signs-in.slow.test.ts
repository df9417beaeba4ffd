/** A person connects a client with nothing but the address of the tools: the official clients of both generations, and an OAuth client. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as oauth from 'openid-client'
import { ClientFlow } from '../oauth/client-flow.ts'
import type { PageClient } from '../support/page-client.ts'
import type { Actor, Site } from '../support/signalbox.ts'

let flow: ClientFlow
let ada: Actor
let browser: PageClient
let site: Site

beforeAll(async () => {
  flow = await ClientFlow.open()
  ada = await flow.box.user('Ada')
  browser = await flow.browser(ada)
  site = await flow.box.site(ada)
})
afterAll(() => flow.close())

/** What a client keeps, as both generations ask for it, and the browser that it opens. */
class Program {
  readonly #kept: Record<string, unknown> = {}
  /** What the browser came back with. */
  callback = new URLSearchParams()

  constructor(
    readonly clientMetadataUrl: string,
    readonly redirectUrl: string,
  ) {}

  readonly clientMetadata = { client_name: 'Example Agent', redirect_uris: ['http://127.0.0.1/callback'] }

  private readonly keep = (name: string) => (value: unknown) => {
    this.#kept[name] = value
  }
  private readonly kept = (name: string) => () => this.#kept[name]

  readonly state = () => 'state of the client'
  readonly clientInformation = this.kept('client')
  readonly saveClientInformation = this.keep('client')
  readonly tokens = this.kept('tokens') as () => Record<string, string> | undefined
  readonly saveTokens = this.keep('tokens')
  readonly codeVerifier = this.kept('verifier')
  readonly saveCodeVerifier = this.keep('verifier')
  readonly discoveryState = this.kept('discovery')
  readonly saveDiscoveryState = this.keep('discovery')
  readonly invalidateCredentials = () => this.saveTokens(undefined)

  /** The person allows it. */
  async redirectToAuthorization(url: URL): Promise<void> {
    const page = await browser.open(url.pathname + url.search)
    const done = await browser.press(page, 'Allow', { organization_id: site.organization.id })
    this.callback = new URL(done.path).searchParams
  }
}

interface Connection {
  connect: () => Promise<void>
  finish: (callback: URLSearchParams) => Promise<void>
  call: (name: string, args: object) => Promise<{ structuredContent?: Record<string, unknown> }>
}

const INFO = { name: 'test-agent', version: '1.0.0' }

/** Their types differ in what may be undefined. */
const GENERATIONS: Record<string, (url: URL, program: Program) => Connection> = {
  modern: (url, program) => {
    const authProvider = program as never
    const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const transport = () => new ModernTransport(url, { authProvider })
    return {
      connect: () => client.connect(transport()),
      finish: (callback) => transport().finishAuth(callback),
      call: (name, args) => client.callTool({ name, arguments: args as never }) as never,
    }
  },
  legacy: (url, program) => {
    const authProvider = program as never
    const client = new LegacyClient(INFO)
    const transport = () => new LegacyTransport(url, { authProvider })
    return {
      connect: () => client.connect(transport() as never),
      finish: (callback) => transport().finishAuth(callback.get('code') ?? ''),
      call: (name, args) => client.callTool({ name, arguments: args as never }) as never,
    }
  },
}

describe.each(Object.entries(GENERATIONS))('The %s client', (_, open) => {
  test('signs in with its document alone, works, and stays signed in', async () => {
    const program = new Program(flow.client_id, flow.redirect_uri)
    const connection = open(new URL(flow.tools), program)
    await expect(connection.connect()).rejects.toThrow()
    expect(program.callback.get('state')).toBe(program.state())
    await connection.finish(program.callback)
    expect(program.tokens()).toMatchObject({ token_type: 'Bearer', scope: 'read write' })
    await connection.connect()
    const list = () => connection.call('list_work', { project_id: site.project.id })
    expect((await list()).structuredContent?.requirements).toEqual([])

    // The access token has expired: the client refreshes by itself.
    const first = program.tokens()?.access_token
    await flow.box.sql`update client_tokens set expires_at = now() where kind = 'access'`
    expect((await list()).structuredContent?.requirements).toEqual([])
    expect(program.tokens()?.access_token).not.toBe(first)

    // The person has revoked it: the client asks again.
    const [token] = (await ada.get('/api/v1/auth/tokens')).body
    expect(token).toMatchObject({ client_id: flow.client_id, organization_id: site.organization.id })
    await ada.delete(`/api/v1/auth/tokens/${token.id}`)
    const { callback } = program
    await expect(list()).rejects.toThrow()
    expect(program.callback.get('code')).not.toBe(callback.get('code'))
  })
})

test('an OAuth client discovers, signs in, refreshes and signs out', async () => {
  const configuration = await oauth.discovery(new URL(flow.issuer), flow.client_id, undefined, oauth.None(), {
    algorithm: 'oauth2',
    execute: [oauth.allowInsecureRequests],
  })
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier()
  const url = oauth.buildAuthorizationUrl(configuration, {
    redirect_uri: flow.redirect_uri,
    scope: 'read',
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: 'state',
    resource: flow.issuer,
  })
  const page = await browser.open(url.pathname + url.search)
  const { path } = await browser.press(page, 'Allow', { organization_id: 'all' })
  const exchange = (location: string) =>
    oauth.authorizationCodeGrant(
      configuration,
      new URL(location),
      { pkceCodeVerifier, expectedState: 'state' },
      { resource: flow.issuer },
    )
  // The answer of another server is not taken for that of this one (RFC 9207).
  await expect(exchange(path.replace(encodeURIComponent(flow.issuer), 'https%3A%2F%2Fevil.example'))).rejects.toMatchObject({
    cause: { message: expect.stringContaining('iss') },
  })
  const tokens = await exchange(path)
  expect({ ...tokens }).toMatchObject({ token_type: 'bearer', scope: 'read', expires_in: 3600 })
  expect((await ada.as(tokens.access_token).get('/api/v1/users/me')).body.id).toBe(ada.id)
  const next = await oauth.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
  expect((await ada.as(next.access_token).get('/api/v1/users/me')).status).toBe(200)
  await oauth.tokenRevocation(configuration, next.refresh_token ?? '')
  expect((await ada.as(next.access_token).get('/api/v1/users/me')).status).toBe(401)
  await expect(oauth.refreshTokenGrant(configuration, next.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('the metadata say what a client needs, and that people never give away decisions', async () => {
  const { body: server } = await flow.box.request('GET', '/.well-known/oauth-authorization-server')
  expect(server).toMatchObject({
    issuer: flow.issuer,
    authorization_endpoint: `${flow.issuer}/oauth/authorize`,
    revocation_endpoint: `${flow.issuer}/oauth/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
  expect(server.token_endpoint_auth_methods_supported).toContain('none')
  expect(server.scopes_supported).not.toContain('decide')
  const challenge = (await fetch(flow.tools, { method: 'POST' })).headers.get('www-authenticate') ?? ''
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: flow.tools,
    authorization_servers: [server.issuer],
    scopes_supported: ['read', 'write'],
  })
})
