import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const LOG = '/api/v1/users/me/security-log'
const NEW = 'a new password to keep'

let box: Box

beforeAll(async () => {
  box = await signalbox({ workers: 0, environment: { TRUST_PROXY: '1' } })
})
afterAll(() => box.close())

const login = (email: string, password: string, headers: Record<string, string> = {}) =>
  box.request('POST', '/api/v1/auth/login', { email, password }, headers)
const actions = async (user: Actor) => (await user.get(LOG)).body.items.map(({ action }: { action: string }) => action)

test('it lists everything that was done to the account, newest first', async () => {
  const user = await box.register('Ada')
  const other = user.as((await login(user.email, PASSWORD)).body.access_token)
  await login(user.email, 'wrong password')
  const token = await user.make('/api/v1/auth/tokens', { name: 'Script' })
  await user.delete(`/api/v1/auth/tokens/${token.id}`)
  await other.post('/api/v1/auth/logout')
  await user.put('/api/v1/users/me', { password: NEW, current_password: 'wrong password' })
  await user.put('/api/v1/users/me', { password: NEW, current_password: PASSWORD })
  await user.put('/api/v1/users/me', { email: `new.${user.email}`, current_password: NEW })
  await user.put('/api/v1/users/me', { name: 'Ada King' })
  expect(await actions(user)).toEqual([
    'email.changed',
    'password.changed',
    'password.refused',
    'session.ended',
    'token.revoked',
    'token.created',
    'sign_in.failed',
    'sign_in.succeeded',
    'account.registered',
  ])
})

test('an entry shows its origin', async () => {
  const user = await box.register('Grace')
  await login(user.email, 'wrong password', { 'User-Agent': 'Guesser/1.0', 'X-Forwarded-For': '203.0.113.66' })
  const [entry] = (await user.get(LOG)).body.items
  expect(entry).toEqual({
    id: expect.any(String),
    action: 'sign_in.failed',
    detail: 'The password was wrong.',
    device: 'Guesser/1.0',
    ip_address: '203.0.113.66',
    created_at: expect.any(String),
  })
})

test('a stolen refresh token is recorded', async () => {
  const user = await box.register('Robbed')
  const refresh = () => box.request('POST', '/api/v1/auth/refresh', { refresh_token: user.refreshToken })
  await refresh()
  await box.sql`update refresh_tokens set used_at = now() - interval '1 minute' where used_at is not null`
  expect((await refresh()).status).toBe(401)
  const again = user.as((await login(user.email, PASSWORD)).body.access_token)
  expect(await actions(again)).toEqual(['sign_in.succeeded', 'session.ended', 'account.registered'])
})

test('it is paginated, and users only see their own', async () => {
  const user = await box.register('Paged')
  const other = await box.register('Other')
  for (let each = 0; each < 4; each++) await login(user.email, PASSWORD)
  const { body } = await user.get(`${LOG}?page=2&page_size=2`)
  expect(body).toMatchObject({ total: 5, page: 2, page_size: 2 })
  expect(body.items).toHaveLength(2)
  expect(await actions(other)).toEqual(['account.registered'])
  expect((await user.get(`${LOG}?page_size=101`)).status).toBe(422)
})
