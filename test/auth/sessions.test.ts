import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

const register = (body: unknown) => box.request('POST', '/api/v1/auth/register', body)
const login = (email: string, password: string) => box.request('POST', '/api/v1/auth/login', { email, password })
const refresh = (refresh_token: string) => box.request('POST', '/api/v1/auth/refresh', { refresh_token })
const me = (token: string) => box.request('GET', '/api/v1/users/me', undefined, { Authorization: `Bearer ${token}` })

describe('Registering', () => {
  test('returns the user and a working session', async () => {
    const { status, body, headers } = await register({ email: 'Ada@Example.com', name: ' Ada Lovelace ', password: PASSWORD })
    expect([status, headers.get('location')]).toEqual([201, '/api/v1/users/me'])
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type', 'user'])
    expect([body.token_type, body.expires_in]).toEqual(['Bearer', 900])
    expect(body.user).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace', email_verified: true, pending_email: null })
    expect(body.user.avatar_url).toBe(`/api/v1/users/${body.user.id}/avatar`)
    expect((await me(body.access_token)).body).toEqual(body.user)
  })

  test('refuses an address that is taken, in any case', async () => {
    await register({ email: 'taken@example.com', name: 'First', password: PASSWORD })
    for (const email of ['taken@example.com', 'TAKEN@EXAMPLE.COM', 'Taken@Example.Com']) {
      const { status, body } = await register({ email, name: 'Second', password: PASSWORD })
      expect([status, body.code]).toEqual([409, 'email_taken'])
    }
  })

  test('concurrently with one address creates one account', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        register({ email: index % 2 ? 'race@example.com' : 'RACE@example.com', name: 'Racer', password: PASSWORD }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test('names the wrong field', async () => {
    const good = { email: 'fields@example.com', name: 'Fields', password: PASSWORD }
    const cases: [object, string][] = [
      [{ ...good, email: 'no address' }, '/email'],
      [{ ...good, email: 'a@b@c.com' }, '/email'],
      [{ ...good, email: '@example.com' }, '/email'],
      [{ ...good, email: `${'x'.repeat(250)}@example.com` }, '/email'],
      [{ ...good, email: 'new\nline@example.com' }, '/email'],
      [{ ...good, password: 'x'.repeat(11) }, '/password'],
      [{ ...good, password: 'x'.repeat(257) }, '/password'],
      [{ ...good, name: '  ' }, '/name'],
      [{ ...good, name: 'x'.repeat(121) }, '/name'],
      [{ ...good, role: 'admin' }, '/role'],
      [{ ...good, email_verified: true }, '/email_verified'],
    ]
    for (const [body, pointer] of cases) {
      const answer = await register(body)
      expect([answer.status, answer.body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]])
    }
    expect(await box.sql`select from users where email = 'fields@example.com'`).toHaveLength(0)
  })

  test('stores passwords and tokens as hashes only', async () => {
    const { body } = await register({ email: 'hashed@example.com', name: 'Hashed', password: 'a password to look for' })
    const [user] = await box.sql`select * from users where id = ${body.user.id}`
    expect(user?.password_hash).toStartWith('$argon2id$')
    const rows = JSON.stringify(await box.sql`select encode(hash, 'escape') as hash, session_id from refresh_tokens`)
    expect(rows).not.toContain(body.refresh_token)
    expect(box.api.lines.join('\n')).not.toContain('a password to look for')
    expect(box.api.lines.join('\n')).not.toContain(body.refresh_token)
  })
})

describe('Signing in', () => {
  test('works with the address in any case', async () => {
    const { body } = await register({ email: 'login@example.com', name: 'Login', password: PASSWORD })
    const { status, body: session } = await login('LOGIN@Example.com', PASSWORD)
    expect([status, session.user.id]).toEqual([200, body.user.id])
    expect((await me(session.access_token)).status).toBe(200)
  })

  test('gives the same response for an unknown address and a wrong password', async () => {
    await register({ email: 'known@example.com', name: 'Known', password: PASSWORD })
    const wrong = await login('known@example.com', 'not the password')
    const unknown = await login('unknown@example.com', 'not the password')
    for (const { status, body, headers } of [wrong, unknown]) {
      expect([status, body.code, headers.get('www-authenticate')]).toEqual([401, 'invalid_credentials', 'Bearer'])
    }
    const { request_id: _1, ...first } = wrong.body
    const { request_id: _2, ...second } = unknown.body
    expect(first).toEqual(second)
  })
})

describe('A refresh token', () => {
  let ada: Actor

  beforeAll(async () => {
    ada = await box.user('Refresher')
  })

  const backdateUse = (seconds: number) => box.sql`
    update refresh_tokens
    set used_at = used_at - make_interval(secs => ${seconds})
    where used_at is not null
  `

  test('is exchanged for a session with a new refresh token', async () => {
    const { status, body } = await refresh(ada.refreshToken)
    expect(status).toBe(200)
    expect(body.user.id).toBe(ada.id)
    expect(body.refresh_token).not.toBe(ada.refreshToken)
    expect((await me(body.access_token)).status).toBe(200)
    expect((await refresh(body.refresh_token)).status).toBe(200)
  })

  test('works again for 10 seconds, in case its response was lost', async () => {
    const { body: first } = await login(ada.email, PASSWORD)
    const [lost, second] = [await refresh(first.refresh_token), await refresh(first.refresh_token)]
    expect([lost.status, second.status]).toEqual([200, 200])
    await backdateUse(8)
    const third = await refresh(first.refresh_token)
    expect(third.status).toBe(200)
    for (const { body } of [lost, second, third]) expect((await me(body.access_token)).status).toBe(200)
  })

  test('that is used again later counts as stolen: its session ends for everyone, other sessions stay', async () => {
    const other = (await login(ada.email, PASSWORD)).body
    const first = (await login(ada.email, PASSWORD)).body
    const next = (await refresh(first.refresh_token)).body
    await backdateUse(11)
    const stolen = await refresh(first.refresh_token)
    expect([stolen.status, stolen.body.code]).toEqual([401, 'invalid_refresh_token'])
    for (const { access_token, refresh_token } of [first, next]) {
      expect((await me(access_token)).status).toBe(401)
      expect((await refresh(refresh_token)).status).toBe(401)
    }
    expect((await me(other.access_token)).status).toBe(200)
    expect((await refresh(other.refresh_token)).status).toBe(200)
  })

  test('of each of two windows is a chain of its own; signing out in one ends both', async () => {
    const { body: first } = await login(ada.email, PASSWORD)
    let [one, other] = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)])
    for (let turn = 0; turn < 2; turn++) {
      await backdateUse(900)
      one = await refresh(one.body.refresh_token)
      await backdateUse(1_200)
      other = await refresh(other.body.refresh_token)
      expect([one.status, other.status]).toEqual([200, 200])
    }
    const late = await refresh(other.body.refresh_token)
    expect((await ada.as(one.body.access_token).post('/api/v1/auth/logout')).status).toBe(204)
    for (const { refresh_token, access_token } of [other.body, late.body]) {
      expect((await refresh(refresh_token)).status).toBe(401)
      expect((await me(access_token)).status).toBe(401)
    }
  })

  test('expires after 30 days', async () => {
    const { body } = await login(ada.email, PASSWORD)
    const [{ days }] = await box.sql<[{ days: number }]>`
      select round(extract(epoch from max(expires_at) - now()) / 86400) as days from refresh_tokens
    `
    expect(days).toBe(30)
    await box.sql`update refresh_tokens set expires_at = now() where used_at is null`
    expect((await refresh(body.refresh_token)).status).toBe(401)
  })

  test('that was never issued is refused like an expired one', async () => {
    for (const token of ['', 'nonsense', 'sbx_rt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']) {
      const { status, body, headers } = await refresh(token)
      expect([status, body.code, headers.get('www-authenticate')]).toEqual([401, 'invalid_refresh_token', 'Bearer'])
    }
  })

  test('is not an access token, nor the reverse', async () => {
    const { body } = await login(ada.email, PASSWORD)
    expect((await me(body.refresh_token)).status).toBe(401)
    expect([401, 422]).toContain((await refresh(body.access_token)).status)
  })
})

describe('Signing out', () => {
  test('revokes the tokens of this session at once, and leaves other sessions', async () => {
    const ada = await box.user('Leaver')
    const { body: other } = await login(ada.email, PASSWORD)
    expect((await ada.get('/api/v1/users/me')).status).toBe(200)
    const { status, body } = await ada.post('/api/v1/auth/logout')
    expect([status, body]).toEqual([204, null])
    expect((await ada.get('/api/v1/users/me')).status).toBe(401)
    expect((await ada.post('/api/v1/auth/logout')).status).toBe(401)
    expect((await refresh(ada.refreshToken)).status).toBe(401)
    expect((await me(other.access_token)).status).toBe(200)
  })
})
