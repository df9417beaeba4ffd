import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const ME = '/api/v1/users/me'
const LOGIN = '/api/v1/auth/login'

function expectRefusal({ status, headers, body }: Answer): void {
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/)
}

describe('With RATE_LIMIT=1 and a burst of 5', () => {
  let box: Box
  let ada: Actor
  let bob: Actor
  // Each test uses another address, which has its own bucket.
  const from = (address: string) => ({ 'X-Forwarded-For': address })

  beforeAll(async () => {
    box = await signalbox({ workers: 0, environment: { RATE_LIMIT: '1', RATE_LIMIT_BURST: '5', TRUST_PROXY: '1' } })
    ada = await box.user('Ada')
    bob = await box.user('Bob')
  })
  afterAll(() => box.close())

  test('a caller gets a burst, then 429 with Retry-After, and other callers are not affected', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ada.get(ME)))
    const passed = answers.filter(({ status }) => status === 200)
    expect(passed.length).toBeGreaterThanOrEqual(5)
    expect(passed.length).toBeLessThanOrEqual(6)
    for (const refused of answers.filter(({ status }) => status !== 200)) expectRefusal(refused)
    expect(passed[0]?.headers.get('ratelimit-policy')).toBe('"default";q=5;w=5')
    expect(passed[0]?.headers.get('ratelimit')).toMatch(/^"default";r=\d;t=\d+$/)
    expect((await bob.get(ME)).status).toBe(200)
  })

  test('the limit of a caller is checked before roles and bodies', async () => {
    await Promise.all(Array.from({ length: 12 }, () => bob.get(ME)))
    expectRefusal(await bob.post('/api/v1/organizations', '{'))
    expectRefusal(await bob.get('/api/v1/organizations/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'))
  })

  test('invalid tokens count against the address behind the trusted proxies', async () => {
    const attempt = (address: string) =>
      box.request('GET', ME, undefined, { Authorization: 'Bearer nonsense', ...from(`spoofed, ${address}`) })
    const answers = await Promise.all(Array.from({ length: 12 }, () => attempt('192.0.2.7')))
    const unauthenticated = answers.filter(({ status }) => status === 401)
    expect(unauthenticated.length).toBeGreaterThanOrEqual(5)
    expect(unauthenticated.length).toBeLessThanOrEqual(6)
    for (const refused of answers.filter(({ status }) => status !== 401)) expectRefusal(refused)
    expect((await attempt('192.0.2.8')).status).toBe(401)
  })

  test('probes are never limited', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => box.request('GET', '/livez', undefined, from('192.0.2.9'))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('With the default limits', () => {
  let box: Box
  let count = 0

  beforeAll(async () => {
    box = await signalbox({ workers: 0, environment: { RATE_LIMIT: '', TRUST_PROXY: '1' } })
  })
  afterAll(() => box.close())

  const register = (address: string) => {
    count += 1
    const body = { email: `person${count}@example.com`, name: 'Person', password: PASSWORD }
    return box.request('POST', '/api/v1/auth/register', body, { 'X-Forwarded-For': address })
  }

  test('one address can register ten accounts per hour', async () => {
    for (let each = 0; each < 10; each++) expect((await register('198.51.100.1')).status).toBe(201)
    expectRefusal(await register('198.51.100.1'))
    expect((await register('198.51.100.2')).status).toBe(201)
  })

  test('ten wrong passwords lock sign-in to an account for every address, whatever the case of its email', async () => {
    const { body: session } = await register('198.51.100.3')
    const { email } = session.user
    const login = (password: string, address: number, as = email) =>
      box.request('POST', LOGIN, { email: as, password }, { 'X-Forwarded-For': `203.0.113.${address}` })
    for (let each = 0; each < 10; each++) {
      const as = each % 2 ? email.toUpperCase() : email
      expect((await login('wrong password', each, as)).status).toBe(401)
    }
    expectRefusal(await login('wrong password', 50))
    expectRefusal(await login(PASSWORD, 51))
    const me = await box.request('GET', ME, undefined, { Authorization: `Bearer ${session.access_token}` })
    expect(me.status).toBe(200)
  })

  test('one address can sign in ten times per minute', async () => {
    const { body: session } = await register('198.51.100.4')
    const login = () =>
      box.request('POST', LOGIN, { email: session.user.email, password: PASSWORD }, { 'X-Forwarded-For': '198.51.100.77' })
    // Concurrently, as checking eleven passwords in turn may take longer than the limit needs to allow another.
    const answers = await Promise.all(Array.from({ length: 11 }, login))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(1)
    refused.forEach(expectRefusal)
  })
})
