import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isWellFormed, newToken } from '../../api/credentials/token-formats.ts'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import { whereIs } from '../support/secrecy.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

const TOKENS = '/api/v1/auth/tokens'
const ME = '/api/v1/users/me'

let box: Box
let ada: Actor

beforeAll(async () => {
  // These settings log everything.
  box = await signalbox({ workers: 0, environment: mailSettings(await mailCatcher()) })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

describe('The format of a token', () => {
  test('is the prefix, 30 random digits and a checksum of 6', () => {
    const made = Array.from({ length: 200 }, newToken)
    expect(new Set(made).size).toBe(200)
    for (const token of made) {
      expect(token).toMatch(/^sbx_pat_[0-9A-Za-z]{36}$/)
      expect(isWellFormed(token)).toBe(true)
    }
  })

  test('detects every changed, missing or added character', () => {
    const token = newToken()
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'x' ? 'y' : 'x'
      expect(isWellFormed(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
      expect(isWellFormed(token.slice(0, at) + token.slice(at + 1))).toBe(false)
    }
    for (const wrong of ['', 'sbx_pat_', `${token}0`, ` ${token}`, token.toUpperCase()]) expect(isWellFormed(wrong)).toBe(false)
  })
})

test('a token is shown once, works, and is listed without its secret', async () => {
  const user = await box.user('Maker')
  const { status, body, headers } = await user.post(TOKENS, { name: ' Nightly build ' })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`${TOKENS}/${body.id}`)
  const { token, ...shown } = body
  expect(token).toMatch(/^sbx_pat_[0-9A-Za-z]{36}$/)
  expect(shown).toEqual({
    id: expect.any(String),
    name: 'Nightly build',
    scope: 'write',
    organization_id: null,
    expires_at: null,
    last_used_at: null,
    client_id: null,
    created_at: expect.any(String),
  })
  expect((await user.get(TOKENS)).body).toEqual([shown])
  const script = user.as(token)
  expect((await script.get(ME)).body.id).toBe(user.id)
  expect((await script.post('/api/v1/organizations', { name: 'Made by a script' })).status).toBe(201)
  expect(await whereIs(box, token)).toEqual([])
})

test('the first use of a token is recorded', async () => {
  const user = await box.user('User')
  const { token } = await user.make(TOKENS, { name: 'Used' })
  await user.as(token).get(ME)
  await box.until('the use is recorded', async () => (await user.get(TOKENS)).body[0].last_used_at !== null)
})

test('changes made with a token are audited as such, with the name of its user', async () => {
  const user = await box.user('Recorded')
  const { token } = await user.make(TOKENS, { name: 'Script' })
  const organization = await user.as(token).make('/api/v1/organizations', { name: 'Recorded' })
  const entries = await box.sql`
    select actor_type, actor_id, actor_name from audit_log_entries where organization_id = ${organization.id}
  `
  expect(entries.map((entry) => ({ ...entry }))).toEqual([{ actor_type: 'token', actor_id: user.id, actor_name: 'Recorded' }])
})

test('the response with a token is replayed for its Idempotency-Key, and stored encrypted', async () => {
  const user = await box.user('Keyed')
  const post = () => user.post(TOKENS, { name: 'Keyed' }, { 'Idempotency-Key': 'make token' })
  const [first, again] = [await post(), await post()]
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
  expect(again.body.token).toBe(first.body.token)
  expect((await user.get(TOKENS)).body).toHaveLength(1)
  expect(await whereIs(box, first.body.token)).toEqual([])
})

test('validation errors name the field', async () => {
  const cases: [object, string][] = [
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(121) }, '/name'],
    [{ name: 'x', scope: 'admin' }, '/scope'],
    [{ name: 'x', scope: null }, '/scope'],
    [{ name: 'x', expires_at: 'tomorrow' }, '/expires_at'],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ name: 'x', organization_id: 'acme' }, '/organization_id'],
    [{ name: 'x', organization_id: crypto.randomUUID() }, '/organization_id'],
    [{ name: 'x', token: 'sbx_pat_mine' }, '/token'],
  ]
  for (const [body, pointer] of cases) {
    const answer = await ada.post(TOKENS, body)
    expect([answer.status, answer.body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]])
  }
  expect((await ada.get(TOKENS)).body).toEqual([])
})

describe('A token is refused if it', () => {
  const refused = async (token: string) => {
    const { status, body, headers } = await ada.as(token).get(ME)
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([401, 'unauthenticated', 'Bearer'])
  }

  test('was never issued, malformed or well-formed', async () => {
    await refused('sbx_pat_nonsense')
    await refused(newToken())
  })

  test('has expired', async () => {
    const made = await ada.make(TOKENS, { name: 'Short', expires_at: '2099-12-31T23:00:00+01:00' })
    expect(made.expires_at).toBe('2099-12-31T22:00:00.000Z')
    expect((await ada.as(made.token).get(ME)).status).toBe(200)
    await box.sql`update personal_tokens set expires_at = now() where id = ${made.id}`
    await refused(made.token)
  })

  test('was revoked', async () => {
    const made = await ada.make(TOKENS, { name: 'Revoked' })
    expect((await ada.as(made.token).get(ME)).status).toBe(200)
    expect((await ada.delete(`${TOKENS}/${made.id}`)).status).toBe(204)
    await refused(made.token)
    expect((await ada.delete(`${TOKENS}/${made.id}`)).status).toBe(404)
  })

  test('belongs to a deleted user', async () => {
    const gone = await box.user('Gone')
    const { token } = await gone.make(TOKENS, { name: 'Orphan' })
    await box.sql`delete from users where id = ${gone.id}`
    await refused(token)
  })
})

test('users can neither see nor revoke tokens of others', async () => {
  const bob = await box.user('Bob')
  const made = await bob.make(TOKENS, { name: 'Bobs' })
  const adas = (await ada.get(TOKENS)).body
  expect(adas.map(({ id }: { id: string }) => id)).not.toContain(made.id)
  const foreign = await ada.delete(`${TOKENS}/${made.id}`)
  const absent = await ada.delete(`${TOKENS}/${crypto.randomUUID()}`)
  expect([foreign.status, absent.status]).toEqual([404, 404])
  expect(foreign.body.detail).toBe(absent.body.detail)
  expect((await bob.as(made.token).get(ME)).status).toBe(200)
})

test('of fifty concurrent requests for the hundredth token one succeeds; expired tokens do not count', async () => {
  const user = await box.user('Collector')
  await box.sql`
    insert into personal_tokens (user_id, name, scope, hash, expires_at)
    select ${user.id}, 'old ' || number, 'read', sha256(convert_to(${user.id} || number, 'UTF8')),
           case when number > 99 then now() - interval '1 second' end
    from generate_series(1, 110) as number
  `
  const answers = await Promise.all(Array.from({ length: 50 }, () => user.post(TOKENS, { name: 'One more' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('token_limit_reached')
  expect((await user.delete(`${TOKENS}/${(await user.get(TOKENS)).body[0].id}`)).status).toBe(204)
  expect((await user.post(TOKENS, { name: 'In its place' })).status).toBe(201)
})
