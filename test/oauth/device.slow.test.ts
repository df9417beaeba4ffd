import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as client from 'openid-client'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Answer, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

let box: Box
let ada: Actor
let browser: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0, environment: { RATE_LIMIT: '1000', TRUST_PROXY: '1' } })
  ada = await box.user('Ada')
  browser = await signedIn(ada)
})
afterAll(() => box.close())

let addresses = 0
/** Limits count each address by itself. */
function newAddress(): string {
  addresses += 1
  return `198.18.0.${addresses}`
}

async function signedIn({ email }: Actor): Promise<PageClient> {
  const visitor = new PageClient(box, newAddress())
  expect((await visitor.post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
  return visitor
}

const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
  box.request('POST', path, new URLSearchParams(fields).toString(), { ...FORM, 'X-Forwarded-For': newAddress(), ...headers })

/** A device that has asked. */
async function start(fields: Record<string, string> = {}): Promise<Answer['body']> {
  const { status, body } = await send('/oauth/device_authorization', { client_id: 'signalbox-cli', ...fields })
  expect(status).toBe(200)
  return body
}

const poll = ({ device_code }: Answer['body'], client_id = 'signalbox-cli') =>
  send('/oauth/token', { grant_type: GRANT, device_code, client_id })

const refusal = async (answer: Promise<Answer>) => {
  const { status, body } = await answer
  return [status, body.error]
}

async function decide(visitor: PageClient, { user_code }: Answer['body'], button: 'Allow' | 'Deny') {
  const consent = await visitor.press(await visitor.open('/device'), 'Continue', { user_code })
  expect([consent.status, consent.text]).toEqual([200, expect.stringContaining('Allow this device')])
  return visitor.press(consent, button)
}

/** As if the device had asked longer ago. */
const age = (column: 'polled_at' | 'expires_at', { user_code }: Answer['body'], seconds: number) => box.sql`
  update device_authorizations
  set ${box.sql(column)} = ${box.sql(column)} - ${seconds} * interval '1 second'
  where user_code = ${user_code.replace('-', '')}
`

describe('A device', () => {
  test('is signed in by an OAuth client, with a token that is named after it, listed and revoked like others', async () => {
    const configuration = await client.discovery(
      new URL(box.base.replace('127.0.0.1', 'localhost')),
      'signalbox-cli',
      undefined,
      client.None(),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    )
    const started = await client.initiateDeviceAuthorization(configuration, { scope: 'write', device_name: 'Ada’s laptop' })
    expect({ ...started }).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: expect.stringMatching(/\/device$/),
      expires_in: 600,
      interval: 5,
    })
    const done = await decide(browser, started, 'Allow')
    expect([done.path, done.text]).toEqual(['/app/account/tokens', expect.stringContaining('signalbox-cli is signed in')])
    // The library waits for the interval before it asks.
    const { access_token, token_type, scope, expires_in } = await client.pollDeviceAuthorizationGrant(configuration, {
      ...started,
      interval: 0.01,
    })
    expect({ token_type, scope, expires_in }).toEqual({ token_type: 'bearer', scope: 'write', expires_in: 7_776_000 })
    const device = ada.as(access_token)
    expect((await device.get('/api/v1/users/me')).body.id).toBe(ada.id)
    expect((await device.post('/api/v1/organizations', { name: 'By device' })).status).toBe(201)
    const [token] = (await ada.get('/api/v1/auth/tokens')).body
    expect(token).toMatchObject({ name: 'Ada’s laptop (signalbox-cli)', scope: 'write', organization_id: null })
    const { items } = (await ada.get('/api/v1/users/me/security-log')).body
    expect(items[0]).toMatchObject({
      action: 'token.created',
      detail: expect.stringContaining('for a device that you had allowed'),
    })
    expect((await ada.delete(`/api/v1/auth/tokens/${token.id}`)).status).toBe(204)
    expect((await device.get('/api/v1/users/me')).status).toBe(401)
  })

  test('gets a token that only reads, if it asks for nothing else', async () => {
    const started = await start()
    await decide(browser, started, 'Allow')
    const { body, headers } = await poll(started)
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read' })
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
    const { status, body: problem } = await ada.as(body.access_token).post('/api/v1/organizations', { name: 'No' })
    expect([status, problem.code]).toEqual([403, 'read_only_token'])
  })

  test('waits until someone decides, more slowly if it asks too soon', async () => {
    const started = await start()
    expect(await refusal(poll(started))).toEqual([400, 'authorization_pending'])
    expect(await refusal(poll(started))).toEqual([400, 'slow_down'])
    // Five seconds are too soon now.
    await age('polled_at', started, 6)
    expect(await refusal(poll(started))).toEqual([400, 'slow_down'])
    await age('polled_at', started, 15)
    expect(await refusal(poll(started))).toEqual([400, 'authorization_pending'])
    await decide(browser, started, 'Allow')
    expect((await poll(started)).status).toBe(200)
  })

  test('learns that it was denied', async () => {
    const started = await start()
    await decide(browser, started, 'Deny')
    expect(await refusal(poll(started))).toEqual([400, 'access_denied'])
  })

  test('has ten minutes, on both sides', async () => {
    const started = await start()
    await age('expires_at', started, 600)
    expect(await refusal(poll(started))).toEqual([400, 'expired_token'])
    const { status, text } = await browser.post('/device', { user_code: started.user_code })
    expect([status, text]).toEqual([422, expect.stringContaining('is older than 10 minutes')])
    const shown = await start()
    const consent = await browser.press(await browser.open('/device'), 'Continue', { user_code: shown.user_code })
    await age('expires_at', shown, 600)
    expect((await browser.press(consent, 'Allow')).status).toBe(422)
    const [{ state }] = await box.sql<[{ state: string }]>`
      select state from device_authorizations where user_code = ${shown.user_code.replace('-', '')}
    `
    expect(state).toBe('pending')
  })

  test('gets one token, even if it asks twice at once', async () => {
    const started = await start()
    await decide(browser, started, 'Allow')
    const answers = await Promise.all([poll(started), poll(started), poll(started)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await refusal(poll(started))).toEqual([400, 'invalid_grant'])
  })

  test('gets nothing with the code of another client, or an invented one', async () => {
    const started = await start()
    await decide(browser, started, 'Allow')
    expect(await refusal(poll(started, 'another-client'))).toEqual([400, 'invalid_grant'])
    expect(await refusal(poll({ device_code: 'sbx_dc_invented' }))).toEqual([400, 'invalid_grant'])
  })

  test('gets nothing once the account of the person is gone', async () => {
    const person = await box.user('Careless')
    const started = await start()
    await decide(await signedIn(person), started, 'Allow')
    expect((await person.request('DELETE', '/api/v1/users/me', { current_password: PASSWORD })).status).toBe(204)
    expect(await refusal(poll(started))).toEqual([400, 'invalid_grant'])
  })

  test('is refused without a client, with an unknown scope, and with names of several lines', async () => {
    const fields: [Record<string, string>, string][] = [
      [{}, 'invalid_request'],
      [{ client_id: '' }, 'invalid_request'],
      [{ client_id: 'a'.repeat(121) }, 'invalid_request'],
      [{ client_id: 'a\nb' }, 'invalid_request'],
      [{ client_id: 'a', device_name: 'x\u202ey' }, 'invalid_request'],
      [{ client_id: 'a', scope: 'decide' }, 'invalid_scope'],
      [{ client_id: 'a', scope: 'offline_access gates:open' }, 'invalid_scope'],
    ]
    for (const [each, error] of fields) expect(await refusal(send('/oauth/device_authorization', each))).toEqual([400, error])
  })
})

test.each([
  ['read write', 'write'],
  ['write offline_access decide', 'write'],
  ['openid read', 'read'],
  ['  ', 'read'],
])('The scopes %p are a list, of which a device gets what there is: %s', async (scope, granted) => {
  const started = await start({ scope })
  await decide(browser, started, 'Allow')
  const { status, body } = await poll(started)
  expect([status, body.scope]).toEqual([200, granted])
  expect((await ada.get('/api/v1/auth/tokens')).body[0].scope).toBe(granted)
})

test.each([
  ['in lower case with a no-break space', (code: string) => code.toLowerCase().replace('-', '\u00a0')],
  ['with another dash', (code: string) => ` ${code.replace('-', ' – ')}\u200b`],
  [
    'in letters of full width',
    (code: string) => code.replaceAll(/[!-~]/g, (each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0)),
  ],
])('A code of a device may be typed %s', async (_, typed) => {
  const started = await start()
  await decide(browser, { ...started, user_code: typed(started.user_code) }, 'Allow')
  expect((await poll(started)).status).toBe(200)
})

describe('The page', () => {
  test('leads to signing in, and back', async () => {
    const visitor = new PageClient(box, newAddress())
    const page = await visitor.open('/device')
    expect(page.path).toBe('/sign-in?next=%2Fdevice')
    expect((await visitor.signIn(page, ada)).path).toBe('/device')
  })

  test('shows the client, the device, the address and the scope, and who signs in', async () => {
    const started = await start({ client_id: 'deployer', device_name: 'build-7', scope: 'write' })
    const { text, document } = await browser.press(await browser.open('/device'), 'Continue', {
      user_code: ` ${started.user_code.toLowerCase().replace('-', ' ')}`,
    })
    for (const shown of [started.user_code, 'deployer', 'build-7', '198.18.0.', ada.email, 'read and change everything'])
      expect(text).toContain(shown)
    expect([...document.querySelectorAll('main button')].map((button) => button.textContent?.trim())).toEqual(['Allow', 'Deny'])
  })

  test('cannot be framed, and is not decided by a form of another site or by a link', async () => {
    const started = await start()
    const page = await browser.send('GET', '/device')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const form = new URLSearchParams({ user_code: started.user_code, decision: 'allow' }).toString()
    for (const path of ['/device', '/device/decision']) {
      const forged = await browser.send('POST', path, form, { Origin: 'https://evil.example' })
      expect([path, forged.status]).toEqual([path, 403])
    }
    expect((await browser.send('GET', `/device/decision?${form}`)).status).toBe(405)
    await browser.open(`/device?${form}`)
    expect(await refusal(poll(started))).toEqual([400, 'authorization_pending'])
  })

  test('decides once: a second person, or a second form, is too late', async () => {
    const started = await start()
    const consent = await browser.press(await browser.open('/device'), 'Continue', { user_code: started.user_code })
    await decide(await signedIn(await box.user('Grace')), started, 'Deny')
    expect((await browser.press(consent, 'Allow')).status).toBe(422)
    expect(await refusal(poll(started))).toEqual([400, 'access_denied'])
  })

  test('takes ten wrong codes in 15 minutes, of both forms together, whatever the address', async () => {
    const guesser = await box.user('Guesser')
    const started = await start()
    const [first, second] = [await signedIn(guesser), await signedIn(guesser)]
    const statuses: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      statuses.push((await first.post('/device', { user_code: `BBBB-BBB${'CDFGH'[turn]}` })).status)
      statuses.push((await second.post('/device/decision', { user_code: 'ZZZZZZZZ', decision: 'allow' })).status)
    }
    expect(statuses).toEqual(Array(10).fill(422))
    expect((await first.post('/device', { user_code: started.user_code })).status).toBe(429)
    expect((await second.post('/device/decision', { user_code: started.user_code, decision: 'allow' })).status).toBe(429)
    expect(await refusal(poll(started))).toEqual([400, 'authorization_pending'])
  })

  test('says when the person has as many tokens as one can have', async () => {
    const collector = await box.user('Collector')
    await box.sql`
      insert into personal_tokens (user_id, name, scope, hash)
      select ${collector.id}, 'Old', 'read', sha256(convert_to(${collector.id} || n, 'UTF8')) from generate_series(1, 100) as n
    `
    const started = await start()
    const refused = await decide(await signedIn(collector), started, 'Allow')
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('at most 100 personal tokens')])
    expect(await refusal(poll(started))).toEqual([400, 'authorization_pending'])
  })
})

test('one address can start ten devices a minute', async () => {
  const address = { 'X-Forwarded-For': newAddress() }
  const begin = () => send('/oauth/device_authorization', { client_id: 'flood' }, address)
  for (let count = 0; count < 10; count++) expect((await begin()).status).toBe(200)
  const { status, body, headers } = await begin()
  expect([status, body.error]).toEqual([429, 'temporarily_unavailable'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})
