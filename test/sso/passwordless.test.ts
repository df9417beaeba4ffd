import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { codeOf, forgetCodes } from '../support/second-factors.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { Provider, signOn, totpOf } from './provider.ts'

let box: Box
let mail: Mailbox
let provider: Provider
let client: PageClient
let count = 0

beforeAll(async () => {
  mail = await Mailbox.open()
  provider = await Provider.open()
  box = await signalbox({
    own: true,
    environment: { ...mail.environment, ...provider.environment, REGISTRATION: 'closed', OIDC_TRUST_EMAIL: 'on' },
  })
})
afterAll(async () => {
  await box.close()
  await provider.stop()
})
beforeEach(() => {
  client = new PageClient(box)
})

/** Claims of a person who is new here. */
function someone(more: object = {}) {
  count += 1
  const sub = `person-${count}`
  return { sub, email: `${sub}@acme.example`, email_verified: true, name: `Person ${count}`, ...more }
}

const titleOf = ({ document }: Visit): string => document.querySelector('h1')?.textContent ?? ''
const identitiesOf = async (user_id: string) => [
  ...(await box.sql`select subject from sso_identities where user_id = ${user_id} order by subject`),
]

describe('An account without a password', () => {
  test('is made although registration is closed; its address counts as proven where the operator trusts the provider', async () => {
    const claims = someone({ email_verified: undefined })
    expect((await signOn(client, provider, { claims })).path).toBe('/app')
    expect(await box.sql`select from users where email = ${claims.email} and email_verified`).toHaveLength(1)
  })

  test('proves who its person is by the time at which the provider asked them, not by the sign-on', async () => {
    const claims = someone({ auth_time: Math.floor(Date.now() / 1000) - 3_600 })
    await signOn(client, provider, { claims })
    const post = () => client.post('/app/account/security/totp')
    expect((await post()).status).toBe(403)
    await signOn(
      client,
      provider,
      { claims: { ...claims, auth_time: Math.floor(Date.now() / 1000) } },
      '/sign-in/sso/instance?fresh=1',
    )
    expect((await post()).status).toBe(200)
  })

  test('proves it by the sign-on itself where the provider does not say when it asked, but not with a second factor', async () => {
    const claims = someone()
    await signOn(client, provider, { claims })
    const post = () => client.post('/app/account/security/totp')
    expect((await post()).status).toBe(200)
    await box.sql`update users set second_factors = 1 where email = ${claims.email}`
    expect((await post()).status).toBe(403)
  })

  test('deletes itself, and gets a password, with a fresh sign-in alone', async () => {
    const claims = someone({ auth_time: Math.floor(Date.now() / 1000) - 3_600 })
    await signOn(client, provider, { claims })
    const set = () => client.post('/app/account/password', { password: 'a new password for me' })
    expect((await set()).status).toBe(403)
    const gone = () => client.post('/app/account/delete', { confirm_name: claims.email })
    expect((await gone()).status).toBe(403)
    await signOn(client, provider, { claims: { ...claims, auth_time: Math.floor(Date.now() / 1000) } })
    expect((await set()).status).toBe(200)
    const login = await box.request('POST', '/api/v1/auth/login', { email: claims.email, password: 'a new password for me' })
    expect(login.status).toBe(200)
    const [entry] = await box.sql`select from users where email = ${claims.email} and password_hash is not null`
    expect(entry).toBeDefined()
    // With a password, that is asked for.
    expect((await gone()).status).toBe(422)
    expect(await box.sql`select from sso_identities where subject = ${claims.sub}`).toHaveLength(1)
  })
})

test('a password reset leaves identities alone; unlinking one ends the other sessions that it opened', async () => {
  const ada = await box.user('Ada')
  const claims = someone({ email: ada.email })
  const [first, second] = [new PageClient(box), new PageClient(box)]
  for (const browser of [first, second]) await signOn(browser, provider, { claims })
  await box.request('POST', '/api/v1/auth/password-reset', { email: ada.email })
  const token = await mail.token(box, ada.email, 'reset-password')
  const reset = await box.request('POST', '/api/v1/auth/password-reset/confirm', { token, password: 'another long password' })
  expect(reset.status).toBe(204)
  expect(await identitiesOf(ada.id)).toHaveLength(1)
  for (const browser of [first, second]) await signOn(browser, provider, { claims })
  const page = await first.open('/app/account')
  await first.press(page, 'Unlink')
  expect(await identitiesOf(ada.id)).toEqual([])
  expect((await first.open('/app')).status).toBe(200)
  expect((await second.open('/app')).path).toStartWith('/sign-in')
})

test('an account without a password confirms who its person is on a page, which leads to the provider', async () => {
  const claims = someone({ auth_time: Math.floor(Date.now() / 1000) - 3_600 })
  await signOn(client, provider, { claims })
  const security = await client.open('/app/account/security')
  expect(security.document.querySelectorAll('input[name=current_password]')).toHaveLength(0)
  const link = [...security.document.querySelectorAll('a')].find((each) => each.textContent === 'confirm that it is you')
  const confirm = await client.open(link?.getAttribute('href') ?? '')
  expect(titleOf(confirm)).toBe('Confirm that it is you')
  const again = [...confirm.document.querySelectorAll('a')].find((each) => each.textContent?.includes('Sign in again'))
  const path = again?.getAttribute('href') ?? ''
  expect(path).toBe('/sign-in/sso/instance?fresh=1&next=%2Fapp%2Faccount%2Fsecurity')
  const back = await signOn(client, provider, { claims: { ...claims, auth_time: Math.floor(Date.now() / 1000) } }, path)
  expect(back.path).toBe('/app/account/security')
  expect((await client.press(back, 'Set up an app')).status).toBe(200)
})

test('with a second factor, it proves that by the factor where the provider does not say when it asked', async () => {
  const claims = someone()
  await signOn(client, provider, { claims })
  const secret = await totpOf(client)
  const [user] = await box.sql<[{ id: string }]>`select id from users where email = ${claims.email}`
  const set = (password: string) => client.post('/app/account/password', { password })
  expect((await set('a new password for me')).status).toBe(403)
  // Without `fresh`, the sign-on proves something to organizations alone.
  expect((await signOn(client, provider, { claims })).path).toBe('/app')
  expect((await set('a new password for me')).status).toBe(403)
  const again = '/sign-in/sso/instance?fresh=1&next=/app/account'
  const step = await signOn(client, provider, { claims }, again)
  expect(titleOf(step)).toBe('Second factor')
  expect((await set('a new password for me')).status).toBe(403)
  const wrong = await client.press(step, 'Sign in', { code: '000000' })
  expect([wrong.status, titleOf(wrong)]).toEqual([401, 'Second factor'])
  await forgetCodes(box, user as Actor)
  const done = await client.press(wrong, 'Sign in', { code: codeOf(secret) })
  expect(done.path).toBe('/app/account')
  expect((await set('a new password for me')).status).toBe(200)
})
