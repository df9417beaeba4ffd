/** The page on which a person allows a client, and what a client can ask there. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { type ClientFlow, callbackIn, challengeOf, openFlow, refusal } from './client-flow.ts'

let flow: ClientFlow
let ada: Actor
let browser: PageClient

beforeAll(async () => {
  ;({ flow, ada, browser } = await openFlow())
})
afterAll(() => flow.close())

const policyOf = (headers: Headers) => headers.get('content-security-policy') ?? ''
const optionsOf = (document: Document, name: string) =>
  [...document.querySelectorAll(`select[name=${name}] option`)].map((option) => option.textContent)

describe('The page', () => {
  test('comes after signing in, and shows who asks for what in whose name', async () => {
    const stranger = new PageClient(flow.box, flow.newAddress())
    const signIn = await flow.ask(stranger)
    expect(signIn.path).toStartWith('/sign-in?next=%2Foauth%2Fauthorize')
    const page = await stranger.signIn(signIn, ada)
    expect([page.status, page.path]).toEqual([200, flow.path()])
    const { port } = new URL(flow.redirect_uri)
    for (const shown of ['Example Agent', flow.host.host, `127.0.0.1:${port} (this computer)`, ada.email, 'the tools of agents'])
      expect(page.text).toContain(shown)
    expect(page.text).toContain('Any program on this computer can pretend to be this client')
    expect([...page.document.querySelectorAll('main button')].map((each) => each.textContent?.trim())).toEqual(['Allow', 'Deny'])
    const { code } = callbackIn((await stranger.press(page, 'Allow')).path)
    expect((await flow.exchange(code)).status).toBe(200)
  })

  test('lets the person choose one organization, and nothing is chosen for someone with several', async () => {
    const person = await flow.box.user('Busy')
    const page = await flow.browser(person)
    const all = 'All of yours, also later ones'
    expect(optionsOf((await flow.ask(page)).document, 'organization_id')).toEqual([all])
    const first = await flow.box.site(person)
    expect(optionsOf((await flow.ask(page)).document, 'organization_id')).toEqual([first.organization.name, all])
    const second = await flow.box.site(person)
    const asked = await flow.ask(page)
    expect(optionsOf(asked.document, 'organization_id')).toEqual([
      'Choose…',
      second.organization.name,
      first.organization.name,
      all,
    ])
    const refused = await page.press(asked, 'Allow')
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Organization is required')])
    expect(policyOf(refused.headers)).toContain(`form-action 'self' ${new URL(flow.redirect_uri).origin};`)
    const { path } = await page.press(refused, 'Allow', { organization_id: first.organization.id })
    await flow.exchange(callbackIn(path).code)
    expect((await person.get('/api/v1/auth/tokens')).body[0].organization_id).toBe(first.organization.id)
  })

  test('offers no more than the client asks for, and the person can allow less', async () => {
    expect(optionsOf((await flow.ask(browser)).document, 'scope')).toEqual(['Read and change', 'Only read'])
    for (const scope of ['read', undefined]) {
      const asked = await flow.ask(browser, { scope })
      expect(optionsOf(asked.document, 'scope')).toEqual(['Only read'])
      const more = await browser.press(asked, 'Allow', { organization_id: 'all', scope: 'write' })
      expect([more.status, more.text]).toEqual([422, expect.stringContaining('is more than the client asks for')])
    }
    const less = await flow.tokens(browser, {}, { organization_id: 'all', scope: 'read' })
    expect(less.scope).toBe('read')
  })

  test.each([
    ['read write decide offline_access gates:open', 'read write'],
    ['openid  read profile', 'read'],
    ['write', 'read write'],
    [' ', 'read'],
  ])('leaves out of the scopes %p what no client can have, and says what was granted', async (scope, granted) => {
    expect((await flow.tokens(browser, { scope }, { organization_id: 'all' })).scope).toBe(granted)
  })

  test('does not take organizations of others', async () => {
    const { organization } = await flow.box.site(await flow.box.user('Other'))
    for (const organization_id of [organization.id, crypto.randomUUID(), 'none', '']) {
      const { status } = await browser.press(await flow.ask(browser), 'Allow', { organization_id })
      expect([organization_id, status]).toEqual([organization_id, 422])
    }
  })

  test('sends a refusal to the client', async () => {
    const { path } = await browser.press(await flow.ask(browser), 'Deny')
    expect(callbackIn(path)).toMatchObject({
      at: flow.redirect_uri,
      parameters: { error: 'access_denied', state: 'a state', iss: flow.issuer, error_description: expect.any(String) },
    })
  })

  test('may lead to the client alone, and cannot be framed', async () => {
    const { headers } = await browser.send('GET', flow.path())
    expect(policyOf(headers)).toContain(`form-action 'self' ${new URL(flow.redirect_uri).origin};`)
    expect(policyOf(headers)).toContain("frame-ancestors 'none'")
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store'])
    const app = flow.host.client({ redirect_uris: ['com.example.agent:/callback'] })
    const other = await browser.send('GET', flow.path({ client_id: app, redirect_uri: 'com.example.agent:/callback' }))
    expect(policyOf(other.headers)).toContain("form-action 'self' com.example.agent:;")
    expect(policyOf((await browser.send('GET', '/device')).headers)).toContain("form-action 'self';")
  })

  test('is not answered by a form of another site, by a link, or in the name of another account', async () => {
    const fields = { organization_id: 'all', scope: 'write', decision: 'allow' }
    const body = new URLSearchParams(fields).toString()
    for (const origin of ['https://evil.example', 'null', '', new URL(flow.redirect_uri).origin]) {
      const forged = await browser.send('POST', flow.path(), body, { Origin: origin })
      expect([origin, forged.status]).toEqual([origin, 403])
    }
    const link = `${flow.path({ scope: undefined })}&${body}`
    const linked = await browser.open(link)
    expect([linked.status, linked.path]).toEqual([200, link])
    const asked = await flow.ask(browser)
    await browser.post('/sign-out')
    const { email } = await flow.box.user('Next')
    await browser.post('/sign-in', { email, password: PASSWORD })
    expect((await browser.press(asked, 'Allow', { organization_id: 'all' })).status).toBe(409)
    const left = await flow.box.sql`select from authorization_codes where token_id is null and client_id = ${flow.client_id}`
    expect(left.count).toBe(0)
    browser = await flow.browser(ada)
  })

  test('after the session has ended nothing is allowed: the person signs in again, and is asked again', async () => {
    const other = await flow.browser(ada)
    const asked = await flow.ask(other)
    await flow.box.sql`
        update sessions
        set ended_at = now()
        where user_id = ${ada.id}
          and id = (select max(id::text)::uuid from sessions where user_id = ${ada.id})
      `
    const after = await other.press(asked, 'Allow', { organization_id: 'all' })
    expect([after.path, after.document.querySelector('main form')?.getAttribute('action'), after.text]).toEqual([
      asked.path,
      expect.stringMatching(/^\/sign-in/),
      expect.stringContaining('nothing was changed'),
    ])
    const left = await flow.box.sql`select from authorization_codes where token_id is null and client_id = ${flow.client_id}`
    expect(left.count).toBe(0)
  })

  test('says when the person has as many tokens as one can have', async () => {
    const collector = await flow.box.user('Collector')
    await flow.box.sql`
      insert into personal_tokens (user_id, name, scope, hash)
      select ${collector.id}, 'Old', 'read', sha256(convert_to(${collector.id} || n, 'UTF8')) from generate_series(1, 100) as n
    `
    const page = await flow.browser(collector)
    const refused = await page.press(await flow.ask(page), 'Allow', { organization_id: 'all' })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('at most 100 personal tokens')])
  })
})

describe('A request', () => {
  const plain = () => challengeOf(flow.verifier)
  test.each<[string, () => Record<string, string | undefined>, string]>([
    ['without PKCE', () => ({ code_challenge: undefined, code_challenge_method: undefined }), 'invalid_request'],
    ['without a method, which would be plain', () => ({ code_challenge_method: undefined }), 'invalid_request'],
    ['with the method plain', () => ({ code_challenge_method: 'plain' }), 'invalid_request'],
    ['with a challenge of another length', () => ({ code_challenge: plain().slice(1) }), 'invalid_request'],
    ['with a challenge of other characters', () => ({ code_challenge: `${plain().slice(1)}+` }), 'invalid_request'],
    ['for a token without a code', () => ({ response_type: 'token' }), 'unsupported_response_type'],
    ['for both', () => ({ response_type: 'code token' }), 'unsupported_response_type'],
    ['without a response_type', () => ({ response_type: undefined }), 'invalid_request'],
    ['for an answer in a fragment', () => ({ response_mode: 'fragment' }), 'invalid_request'],
    ['for the scope decide', () => ({ scope: 'decide' }), 'invalid_scope'],
    ['for scopes of service accounts', () => ({ scope: 'gates:open offline_access' }), 'invalid_scope'],
    ['for a scope in capitals', () => ({ scope: 'READ' }), 'invalid_scope'],
    ['for another resource', () => ({ resource: 'https://other.example.com/mcp' }), 'invalid_target'],
    ['for a resource below', () => ({ resource: `${flow.tools}/x` }), 'invalid_target'],
  ])('%s is refused at the client', async (_, more, error) => {
    const response = await browser.send('GET', flow.path(more()))
    expect(response.status).toBe(303)
    const { at, parameters } = callbackIn(response.headers.get('location') ?? '')
    expect([at, parameters]).toEqual([
      flow.redirect_uri,
      { error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/), state: 'a state', iss: flow.issuer },
    ])
  })

  test.each<[string, () => string]>([
    ['without a redirect_uri', () => flow.path({ redirect_uri: undefined })],
    ['with another redirect_uri', () => flow.path({ redirect_uri: 'https://evil.example/callback' })],
    ['with one that only begins alike', () => flow.path({ redirect_uri: `${flow.redirect_uri}.evil.example` })],
    ['with the host in the user name', () => flow.path({ redirect_uri: 'http://127.0.0.1:80@evil.example/callback' })],
    ['with two', () => `${flow.path()}&redirect_uri=https%3A%2F%2Fevil.example%2F`],
    ['with two clients', () => `${flow.path()}&client_id=https%3A%2F%2Fevil.example%2Fc`],
    [
      'with the redirect_uri of another client',
      () => flow.path({ client_id: flow.host.client({ redirect_uris: ['https://a.example/c'] }) }),
    ],
  ])('%s is refused on a page, and nothing is sent anywhere', async (_, path) => {
    const response = await browser.send('GET', path())
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })

  test.each(['http://127.0.0.1/callback', 'https://agent.example.com/callback?tenant=1'])(
    'without a redirect_uri leads to the one that the client has alone, %s',
    async (uri) => {
      const client_id = flow.host.client({ redirect_uris: [uri, uri] })
      const asked = await flow.ask(browser, { client_id, redirect_uri: undefined })
      expect(policyOf(asked.headers)).toContain(`form-action 'self' ${new URL(uri).origin};`)
      const form = 'organization_id=all&scope=read&decision=allow'
      const { headers } = await browser.send('POST', asked.path, form)
      const location = headers.get('location') ?? ''
      expect(location).toStartWith(uri)
      const { code } = callbackIn(location)
      const other = await flow.exchange(code, { client_id, redirect_uri: 'https://agent.example.com/other' })
      expect([other.status, other.body.error]).toEqual([400, 'invalid_grant'])
      expect((await flow.exchange(code, { client_id, redirect_uri: uri })).status).toBe(200)
    },
  )

  test('without a redirect_uri is refused where the only one is an address that codes are never sent to', async () => {
    for (const uri of ['http://evil.example/callback', 'javascript:alert(1)', 7]) {
      const client_id = flow.host.client({ redirect_uris: [uri] })
      const { status, path } = await flow.ask(browser, { client_id, redirect_uri: undefined })
      expect([status, path]).toEqual([400, flow.path({ client_id, redirect_uri: undefined })])
    }
  })

  test('keeps a state of any text, also without one, and the parameters of the redirect_uri', async () => {
    const state = 'ä&code=evil#"<>\u{1F512} +%'
    expect((await flow.allow(browser, { state })).parameters.state).toBe(state)
    expect(Object.keys((await flow.allow(browser, { state: undefined })).parameters)).toEqual(['code', 'iss'])
    const client_id = flow.host.client({ redirect_uris: ['https://agent.example.com/callback?tenant=1'] })
    const redirect_uri = 'https://agent.example.com/callback?tenant=1'
    const denied = await browser.send('POST', flow.path({ client_id, redirect_uri }), 'scope=read&decision=deny')
    expect(denied.headers.get('location')).toStartWith('https://agent.example.com/callback?tenant=1&error=access_denied&')
  })

  test('is read again when the form is sent', async () => {
    const body = 'organization_id=all&scope=read&decision=allow'
    const evil = await browser.send('POST', flow.path({ redirect_uri: 'https://evil.example/' }), body)
    expect([evil.status, evil.headers.get('location')]).toEqual([400, null])
    const late = await browser.send('POST', flow.path({ scope: 'decide' }), body)
    expect(callbackIn(late.headers.get('location') ?? '').parameters.error).toBe('invalid_scope')
  })
})

test('a person can have 20 documents a minute fetched', async () => {
  const page = await flow.browser(await flow.box.user('Flood'))
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) statuses.push((await flow.ask(page, { client_id: flow.host.client() })).status)
  expect(statuses).toEqual([...Array(20).fill(200), 429])
  expect((await flow.ask(browser)).status).toBe(200)
  expect(await refusal(flow.exchange('sbx_oac_invented'))).toEqual([400, 'invalid_grant'])
})
