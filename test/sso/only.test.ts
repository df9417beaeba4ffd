import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'
import { Provider, SECRET, signOn } from './provider.ts'
import { tokenIn } from './workbench.ts'

let box: Box
let provider: Provider
let client: PageClient

beforeAll(async () => {
  provider = await Provider.open()
  const limits = { RATE_LIMIT: '1000000', TRUST_PROXY: '1' }
  const environment = { ...provider.environment, ...limits, SIGN_IN: 'sso', SSO_SECONDS: '3600' }
  box = await signalbox({ own: true, workers: 0, environment })
})
afterAll(async () => {
  await box.close()
  await provider.stop()
})
beforeEach(() => {
  client = new PageClient(box)
})

const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code]

test('with SIGN_IN=sso, passwords, registration, resets and passkeys alone are switched off', async () => {
  const email = 'ada@acme.example'
  const refused = [403, 'sso_required']
  expect(code(await box.request('POST', '/api/v1/auth/login', { email, password: PASSWORD }))).toEqual(refused)
  expect(code(await box.request('POST', '/api/v1/auth/register', { email, password: PASSWORD, name: 'Ada' }))).toEqual(refused)
  expect(code(await box.request('POST', '/api/v1/auth/password-reset', { email }))).toEqual(refused)
  const confirm = { token: 'x', password: PASSWORD }
  expect(code(await box.request('POST', '/api/v1/auth/password-reset/confirm', confirm))).toEqual(refused)
  expect(code(await box.request('POST', '/api/v1/auth/passkey/options'))).toEqual(refused)
  const page = await client.open('/sign-in')
  expect(page.document.querySelectorAll('input[type=password]')).toHaveLength(0)
  expect(page.text).toContain('Sign in with Acme ID')
  expect((await client.open('/register')).status).toBe(403)
})

test('sessions that something else opened are over, and the page of the account asks for no password', async () => {
  const [{ id }] = await box.sql<[{ id: string }]>`
    insert into users (email, email_verified, name, password_hash) values ('old@acme.example', true, 'Old', 'x') returning id
  `
  await box.sql`
    with session as (insert into sessions (user_id, device, ip_address) values (${id}, 'Test', '127.0.0.1') returning id)
    insert into session_cookies (hash, session_id) select sha256('sbx_sc_old'), id from session
  `
  client.cookies.set('signalbox', 'sbx_sc_old')
  expect((await client.open('/app')).path).toStartWith('/sign-in')
  const claims = { sub: 'old', email: 'old@acme.example', email_verified: true, auth_time: 1 }
  // Addresses count as proven without proof here: what the account had until now is gone.
  expect((await signOn(client, provider, { claims })).path).toBe('/app')
  const [user] = await box.sql`select password_hash from users where id = ${id}`
  expect({ ...user }).toEqual({ password_hash: null })
  const page = await client.open('/app/account')
  expect(page.document.querySelectorAll('input[name=current_password]')).toHaveLength(0)
  expect(page.text).toContain('You sign in with a provider.')
  const changed = await client.post('/app/account/address', { email: 'new@acme.example' })
  expect(changed.status).toBe(403)
})

test('linking by an address that nobody proved ends all that the account could be used by', async () => {
  const [{ id }] = await box.sql<[{ id: string }]>`
    insert into users (email, email_verified, name, password_hash, pending_email)
    values ('grace@acme.example', true, 'Grace', 'x', 'mallory@example.com') returning id
  `
  await box.sql`insert into personal_tokens (user_id, name, scope, hash) values (${id}, 'Old', 'write', sha256('x'))`
  await box.sql`insert into totp_apps (user_id, secret, last_step) values (${id}, 'x', 0)`
  await box.sql`insert into recovery_codes (user_id, hash) values (${id}, 'x')`
  const claims = { sub: 'grace', email: 'grace@acme.example', email_verified: true }
  expect((await signOn(client, provider, { claims })).path).toBe('/app')
  const [user] = await box.sql`select second_factors, pending_email, password_hash from users where id = ${id}`
  expect({ ...user }).toEqual({ second_factors: 0, pending_email: null, password_hash: null })
  for (const table of ['personal_tokens', 'totp_apps', 'recovery_codes'])
    expect(await box.sql`select from ${box.sql(table)} where user_id = ${id}`).toHaveLength(0)
})

test('tokens count that were made after a sign-on, and providers of organizations only prove', async () => {
  const claims = { sub: 'hedy', email: 'hedy@acme.example', email_verified: true, auth_time: Math.floor(Date.now() / 1000) }
  await signOn(client, provider, { claims })
  const [{ id }] = await box.sql<[{ id: string }]>`select id from users where email = ${claims.email}`
  const hedy = new Actor(box, 'Hedy', claims.email, id, await tokenIn(client), '')
  const { organization } = await box.site(hedy)
  const old = hedy.as(await tokenIn(client))
  await box.sql`
    delete from sso_token_proofs where token_id = (select max(id::text)::uuid from personal_tokens where user_id = ${id})
  `
  const refused = await old.get(`/api/v1/organizations/${organization.id}`)
  expect(refused.body).toMatchObject({ code: 'sso_required', sign_in_url: expect.stringMatching(/\/sign-in\/sso\/instance$/) })
  expect([(await old.get('/api/v1/search?q=Checkout')).body, (await old.get('/api/v1/users/me')).status]).toEqual([[], 200])
  const path = `/app/organizations/${organization.id}/sso`
  await client.post(path, { issuer: provider.url, client_id: provider.client_id, client_secret: SECRET })
  await client.post(path, { provision: 'true' })
  const [connection] = await box.sql`select id from sso_connections where organization_id = ${organization.id}`
  await box.sql`
    insert into sso_domains (organization_id, domain, status, token) values (${organization.id}, 'acme.example', 'verified', '')
  `
  const own = `/sign-in/sso/${connection?.id}`
  const linked = { ...claims, sub: 'hedy there' }
  await client.press(await signOn(client, provider, { claims: linked }, own), 'Connect')
  expect(await box.sql`select from sso_identities where user_id = ${id}`).toHaveLength(2)
  for (const person of [linked, { ...claims, sub: 'new there', email: 'new@acme.example' }]) {
    const page = await signOn(new PageClient(box), provider, { claims: person }, own)
    expect(page.document.querySelector('h1')?.textContent).toBe('Sign in first')
  }
  expect(await box.sql`select from users where email = 'new@acme.example'`).toHaveLength(0)
})

test('nobody unlinks what everybody signs in with', async () => {
  const claims = { sub: 'joan', email: 'joan@acme.example', email_verified: true }
  await signOn(client, provider, { claims })
  const refused = await client.press(await client.open('/app/account'), 'Unlink')
  expect(refused.status).toBe(409)
  expect(await box.sql`select from sso_identities where subject = 'joan'`).toHaveLength(1)
})

test('sign-ons that are refused count as failed sign-ins of their address; others do not', async () => {
  const claims = { sub: 'ruth', email: 'ruth@acme.example', email_verified: true }
  const enter = (address: string, more: object = {}) =>
    signOn(new PageClient(box, address), provider, { claims: { ...claims, ...more } })
  for (let count = 0; count < 12; count++) expect((await enter('192.0.2.1')).path).toBe('/app')
  const statuses: number[] = []
  for (let count = 0; count < 11; count++) statuses.push((await enter('192.0.2.2', { nonce: 'other' })).status)
  expect(statuses).toEqual([...Array(10).fill(400), 429])
  expect((await enter('192.0.2.2')).status).toBe(429)
  expect((await enter('192.0.2.3')).path).toBe('/app')
})
