import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const SESSIONS = '/api/v1/auth/sessions'
const ME = '/api/v1/users/me'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0, environment: { TRUST_PROXY: '1' } })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

async function signIn(user: Actor, device: string, address = '203.0.113.9'): Promise<Actor> {
  const headers = { 'User-Agent': device, 'X-Forwarded-For': address }
  const { status, body } = await box.request('POST', '/api/v1/auth/login', { email: user.email, password: PASSWORD }, headers)
  if (status !== 200) throw new Error(`Signing in answered ${status}`)
  return user.as(body.access_token)
}

test('the list shows live sessions with device and address, newest first, and marks the current one', async () => {
  const user = await box.user('Lister')
  const phone = await signIn(user, 'Phone', '203.0.113.1')
  const laptop = await signIn(user, 'Laptop', '203.0.113.2')
  const { status, body } = await phone.get(SESSIONS)
  expect(status).toBe(200)
  expect(body.map(({ device, ip_address, current }: never) => [device, ip_address, current])).toEqual([
    ['Laptop', '203.0.113.2', false],
    ['Phone', '203.0.113.1', true],
    [expect.any(String), '127.0.0.1', false],
  ])
  expect(Object.keys(body[0]).sort()).toEqual(['created_at', 'current', 'device', 'id', 'ip_address', 'last_used_at'])
  const page = await laptop.get(`${SESSIONS}?limit=1`)
  expect(page.body).toHaveLength(1)
  expect(page.body[0].current).toBe(true)
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? []
  expect((await laptop.get(next)).body[0].device).toBe('Phone')
})

test('a session whose client does not say what it is has a name', async () => {
  const user = await box.user('Silent')
  const silent = await signIn(user, '')
  expect((await silent.get(SESSIONS)).body[0]).toMatchObject({ device: 'unknown', current: true })
})

test('sessions of other users are not listed', async () => {
  const other = await box.user('Other')
  const ids = (await other.get(SESSIONS)).body.map(({ id }: never) => id)
  const adas = (await ada.get(SESSIONS)).body.map(({ id }: never) => id)
  expect(ids).toHaveLength(1)
  expect(adas).not.toContain(ids[0])
})

test('sessions that were ended, or whose refresh token expired, are not listed', async () => {
  const user = await box.user('Sleeper')
  const signedOut = await signIn(user, 'Left')
  await signedOut.post('/api/v1/auth/logout')
  const stale = await signIn(user, 'Stale')
  const [{ id }] = (await stale.get(SESSIONS)).body
  await box.sql`update refresh_tokens set expires_at = now() where session_id = ${id}`
  expect((await user.get(SESSIONS)).body.map(({ current }: never) => current)).toEqual([true])
})

test('ending a session revokes its tokens at once, and leaves other sessions', async () => {
  const user = await box.user('Ender')
  const phone = await signIn(user, 'Phone')
  const laptop = await signIn(user, 'Laptop')
  const lost = (await laptop.get(SESSIONS)).body.find(({ device }: { device: string }) => device === 'Phone')
  expect((await phone.get(ME)).status).toBe(200)
  expect((await laptop.delete(`${SESSIONS}/${lost.id}`)).status).toBe(204)
  expect((await phone.get(ME)).status).toBe(401)
  expect((await laptop.get(ME)).status).toBe(200)
  const again = await laptop.delete(`${SESSIONS}/${lost.id}`)
  expect([again.status, again.body.code]).toEqual([404, 'not_found'])
})

test('a user can end the current session', async () => {
  const phone = await signIn(ada, 'Phone')
  const own = (await phone.get(SESSIONS)).body.find(({ current }: { current: boolean }) => current)
  expect((await phone.delete(`${SESSIONS}/${own.id}`)).status).toBe(204)
  expect((await phone.get(ME)).status).toBe(401)
})

test('a session of another user gets the same 404 as an unknown one, and stays; a malformed id is a 422', async () => {
  const other = await box.user('Foreign')
  const [{ id }] = (await other.get(SESSIONS)).body
  const foreign = await ada.delete(`${SESSIONS}/${id}`)
  const absent = await ada.delete(`${SESSIONS}/${crypto.randomUUID()}`)
  expect([foreign.status, absent.status]).toEqual([404, 404])
  expect(foreign.body.detail).toBe(absent.body.detail)
  expect((await other.get(ME)).status).toBe(200)
  expect((await ada.delete(`${SESSIONS}/current`)).status).toBe(422)
})

test('concurrent requests end a session once', async () => {
  const user = await box.user('Twice')
  const phone = await signIn(user, 'Phone')
  const own = (await phone.get(SESSIONS)).body.find(({ current }: { current: boolean }) => current)
  const answers = await Promise.all([1, 2, 3].map(() => user.delete(`${SESSIONS}/${own.id}`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
})

test('the last use is recorded at most once a minute', async () => {
  const user = await box.user('User')
  const [{ id }] = (await user.get(SESSIONS)).body
  const lastUse = async () => {
    const [row] = await box.sql<{ at: string }[]>`select last_used_at as at from sessions where id = ${id}`
    return row?.at ?? ''
  }
  const first = await lastUse()
  await user.get(ME)
  expect(await lastUse()).toBe(first)
  await box.sql`update sessions set last_used_at = now() - interval '1 hour' where id = ${id}`
  const aged = await lastUse()
  // This process has recorded a use within the minute; a new process records one again.
  await box.end(box.api, 'SIGTERM')
  await box.startApi()
  await user.get(ME)
  await box.until('the use is recorded', async () => (await lastUse()) > aged)
})
