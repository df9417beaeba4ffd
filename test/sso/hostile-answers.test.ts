import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import { makeKey, now } from '../oauth/issuer.ts'
import { PageClient } from '../support/page-client.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { leave, Provider, pathOf, SECRET, signOn } from './provider.ts'

let box: Box
let provider: Provider
let other: Provider
let client: PageClient

beforeAll(async () => {
  provider = await Provider.open()
  other = await Provider.open()
  box = await signalbox({ own: true, workers: 0, environment: provider.environment })
})
afterAll(async () => {
  await box.close()
  await Promise.all([provider.stop(), other.stop()])
})
beforeEach(() => {
  client = new PageClient(box)
  provider.answer = null
  provider.userinfo = null
  provider.discovery = {}
})

const ADA = { sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada' }

/** The text of all refusals, and the reason of the newest in the log. */
async function expectRefused(answer: Parameters<typeof signOn>[2], reason: string): Promise<void> {
  const browser = new PageClient(box)
  const page = await signOn(browser, provider, { claims: ADA, ...answer })
  expect([page.status, page.document.querySelector('h1')?.textContent]).toEqual([400, 'The sign-in was refused'])
  expect(page.text).toContain('The sign-in could not be completed. Start it again')
  const logged = () => box.api.lines.findLast((line) => line.includes('OpenID provider was refused')) ?? ''
  await box.until(`the log says ${reason}`, async () => logged().includes(reason))
  expect((await browser.open('/app')).path).toStartWith('/sign-in')
}

test('an ID token is only taken as its provider signed it, for this client, now', async () => {
  const claims = (more: object) => ({ claims: { ...ADA, ...more } })
  await expectRefused(claims({ iss: `${provider.url}/` }), 'The claim iss is not valid.')
  await expectRefused(claims({ iss: undefined }), 'has no claim iss')
  await expectRefused(claims({ aud: 'other' }), 'The claim aud is not valid.')
  await expectRefused(claims({ aud: ['other'] }), 'The claim aud is not valid.')
  await expectRefused(claims({ aud: undefined }), 'has no claim aud')
  await expectRefused(claims({ aud: ['signalbox', 'other'] }), 'its azp differs')
  await expectRefused(claims({ aud: ['signalbox', 'other'], azp: 'other' }), 'its azp differs')
  await expectRefused(claims({ azp: 'other' }), 'its azp differs')
  await expectRefused(claims({ azp: null }), 'its azp differs')
  await expectRefused(claims({ nonce: 'other' }), 'its nonce differs')
  await expectRefused(claims({ nonce: undefined }), 'its nonce differs')
  await expectRefused(claims({ exp: now() - 61 }), 'has expired')
  await expectRefused(claims({ exp: undefined }), 'has no claim exp')
  await expectRefused(claims({ iat: now() - 661 }), 'older than 10 minutes')
  await expectRefused(claims({ iat: now() + 70 }), 'issued in the future')
  await expectRefused(claims({ iat: undefined }), 'has no claim iat')
  await expectRefused(claims({ iat: String(now()) }), 'claim iat')
  for (const sub of ['', 'x'.repeat(256), 7, null, ['ada'], 'a\0b', '\ud800']) await expectRefused(claims({ sub }), 'sub')
  await expectRefused({ header: { typ: 'at+jwt' } }, 'is not that of an ID token')
  await expectRefused({ header: { kid: 'unknown' } }, 'no key of the id')
  expect((await signOn(client, provider, claims({ aud: ['signalbox', 'other'], azp: 'signalbox' }))).path).toBe('/app')
})

test('its signature is always verified: none, the secret of the client, a key in its header, and other keys are refused', async () => {
  const secret = new TextEncoder().encode(SECRET.padEnd(32, '='))
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const foreign = await makeKey('ES256', 'one')
  const tokens: [string, (claims: object) => string | Promise<string>, string][] = [
    ['none', (claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`, 'algorithm'],
    ['HS256', (claims) => new SignJWT(claims as never).setProtectedHeader({ alg: 'HS256' }).sign(secret), 'algorithm'],
    ['another key', (claims) => provider.sign(claims, {}, foreign), 'signature'],
    ['a key in the header', (claims) => provider.sign(claims, { jwk: foreign.jwk }, foreign), 'signature'],
    ['a key at a URL', (claims) => provider.sign(claims, { jku: `${other.url}/jwks` }, other.key), 'signature'],
    ['no token', () => 'x', 'not a JSON Web Token'],
    ['too long', (claims) => provider.sign({ ...claims, pad: 'x'.repeat(20_000) }), 'longer than 16384 bytes'],
  ]
  for (const [, token, reason] of tokens) await expectRefused({ token }, reason)
})

test('an answer names its issuer where discovery promises it, and no other; no parameter stands twice', async () => {
  await expectRefused({ parameters: { iss: undefined } }, 'does not name this issuer')
  await expectRefused({ parameters: { iss: other.url } }, 'does not name this issuer')
  await expectRefused({ parameters: { error: 'access_denied' } }, 'access_denied')
  await expectRefused({ parameters: { code: undefined } }, 'has no code')
  for (const name of ['code', 'state', 'iss', 'x']) {
    const back = provider.signIn(await leave(client), { claims: ADA, parameters: { x: '1' } })
    back.searchParams.append(name, back.searchParams.get(name) ?? '')
    expect((await client.open(pathOf(back))).status).toBe(400)
  }
})

test('an answer is taken once, in the browser and for the sign-in that asked for it', async () => {
  const back = provider.signIn(await leave(client), { claims: ADA })
  const thief = new PageClient(box)
  expect((await thief.open(pathOf(back))).status).toBe(400)
  // With a sign-in of its own, the state of another does not fit.
  await leave(thief)
  expect((await thief.open(pathOf(back))).status).toBe(400)
  expect((await client.open(pathOf(back))).path).toBe('/app')
  expect((await client.open(pathOf(back))).status).toBe(400)
})

test('a cookie of another sign-in, an old one, and one that was changed are refused; a used one as well', async () => {
  const first = await leave(client)
  const second = await leave(client)
  const nameOf = (at: URL) => `signalbox-sso-${at.searchParams.get('state')?.slice(0, 16)}`
  const [one, two] = [client.cookies.get(nameOf(first)) ?? '', client.cookies.get(nameOf(second)) ?? '']
  expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain(first.searchParams.get('nonce') ?? '?')
  const answer = () => client.send('GET', pathOf(provider.signIn(first, { claims: ADA })))
  client.cookies.set(nameOf(first), two)
  expect((await answer()).status).toBe(400)
  const changed = Buffer.from(one, 'base64url')
  changed[40] = (changed[40] ?? 0) ^ 1
  client.cookies.set(nameOf(first), changed.toString('base64url'))
  expect((await answer()).status).toBe(400)
  client.cookies.set(nameOf(first), one)
  expect((await answer()).status).toBe(303)
  client.cookies.set(nameOf(first), one)
  expect((await answer()).status).toBe(400)
})

test('a browser that only looks ahead uses nothing up', async () => {
  const back = pathOf(provider.signIn(await leave(client), { claims: ADA }))
  for (const headers of [{ 'Sec-Purpose': 'prefetch' }, { 'Sec-Fetch-Dest': 'image' }] as Record<string, string>[])
    expect((await client.send('GET', back, undefined, headers)).status).toBe(400)
  expect((await client.send('HEAD', back)).status).toBe(400)
  expect((await client.open(back)).path).toBe('/app')
})

test('claims that the token lacks come from userinfo, of the same person; what is verified is said by who names the address', async () => {
  const token = (more: object) => ({ claims: { sub: 'grace', ...more } })
  provider.userinfo = { sub: 'grace', email: 'grace@acme.example', email_verified: true, name: 'Grace' }
  expect((await signOn(client, provider, token({}))).path).toBe('/app')
  expect((await client.open('/sign-out')).text).toContain('grace@acme.example')
  for (const sub of ['ada', undefined, ['grace']]) {
    provider.userinfo = { sub, email: 'grace@acme.example', email_verified: true }
    await expectRefused(token({}), 'about another person')
  }
  provider.userinfo = { sub: 'mallory', email: 'mallory@acme.example', email_verified: true }
  const mixed = await signOn(new PageClient(box), provider, { claims: { sub: 'mallory', email: 'ada@acme.example' } })
  expect(mixed.status).toBe(403)
  provider.userinfo = { sub: 'mallory', email: 'ada@acme.example' }
  const claims = { sub: 'mallory', email_verified: true }
  expect((await signOn(new PageClient(box), provider, { claims })).status).toBe(403)
})

test('a provider that is away, slow, or leads elsewhere is not available; one that refuses is refused', async () => {
  const answers: [string, () => Response | Promise<Response>, number][] = [
    ['/token', () => new Response('', { status: 500 }), 503],
    ['/token', () => Response.redirect(`${other.url}/token`, 307), 503],
    ['/token', () => new Response('x'.repeat(200_000), { headers: { 'Content-Type': 'application/json' } }), 503],
    ['/token', () => new Response('not json'), 503],
    ['/token', () => Response.json({ error: 'invalid_grant' }, { status: 400 }), 400],
    ['/token', () => Response.json({ access_token: 'x' }), 400],
    ['/userinfo', () => new Response('', { status: 502 }), 503],
    ['/userinfo', () => new Response('', { status: 401 }), 400],
  ]
  for (const [path, answer, status] of answers) {
    provider.answer = (asked) => (asked === path ? answer() : undefined)
    const page = await signOn(new PageClient(box), provider, { claims: { sub: 'ada' } })
    expect([path, page.status]).toEqual([path, status])
    if (status === 503) expect(page.headers.get('retry-after')).toBe('60')
    expect(page.text).not.toContain('invalid_grant')
  }
})

test('a provider that is slow is not waited for longer than 5 seconds, over all requests', async () => {
  const held = Promise.withResolvers<undefined>()
  const slow = (path: string) => async (asked: string) => {
    if (asked === path) await held.promise
    else if (asked === '/token') await Bun.sleep(2_000)
    return undefined
  }
  for (const path of ['/token', '/userinfo']) {
    const back = pathOf(provider.signIn(await leave(client), { claims: { sub: 'slow' } }))
    provider.answer = slow(path)
    const began = performance.now()
    const page = await client.open(back)
    expect([path, page.status]).toEqual([path, 503])
    expect(performance.now() - began).toBeLessThan(6_500)
    provider.answer = null
  }
  held.resolve(undefined)
}, 20_000)

test('the secret is sent as the provider takes it', async () => {
  const sent: [basic: boolean, posted: boolean][] = []
  provider.answer = async (path, request) => {
    if (path !== '/token') return undefined
    const form = new URLSearchParams(await request.clone().text())
    sent.push([request.headers.has('authorization'), form.has('client_secret')])
    return undefined
  }
  expect((await signOn(client, provider, { claims: ADA })).path).toBe('/app')
  expect(sent).toEqual([[true, false]])
  const second = await Provider.open()
  second.discovery = { token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'] }
  const ada = await box.user('Ada')
  const { organization } = await box.site(ada)
  const input = { issuer: second.url, client_id: second.client_id, client_secret: SECRET, provision: true }
  const { body } = await ada.put(`/api/v1/organizations/${organization.id}/sso`, input)
  const page = await signOn(new PageClient(box), second, { claims: { ...ADA, email: 'x@y.example' } }, `/sign-in/sso/${body.id}`)
  expect(page.document.querySelector('h1')?.textContent).toBe('Sign in first')
  await second.stop()
})

test('at most 16 people wait for a provider; the rest are told to try again', async () => {
  const held = Promise.withResolvers<void>()
  let asked = 0
  provider.answer = async (path) => {
    if (path !== '/token') return undefined
    asked += 1
    await held.promise
    return undefined
  }
  const browsers = Array.from({ length: 20 }, () => new PageClient(box))
  const backs = await Promise.all(browsers.map(async (browser) => provider.signIn(await leave(browser), { claims: ADA })))
  const statuses: number[] = []
  const answers = browsers.map(async (browser, at) => {
    statuses.push((await browser.send('GET', pathOf(backs[at] as URL))).status)
  })
  await box.until('4 are refused', async () => statuses.length === 4 && asked === 16)
  expect(statuses).toEqual([429, 429, 429, 429])
  held.resolve()
  await Promise.all(answers)
  expect(statuses.filter((status) => status === 303)).toHaveLength(16)
})
