import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const ME = '/api/v1/users/me'
const NEW = 'a new password to keep'

let box: Box
let user: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())
beforeEach(async () => {
  user = await box.user('Ada')
})

const login = (email: string, password: string) => box.request('POST', '/api/v1/auth/login', { email, password })
const pointers = (body: { errors: { pointer: string; code: string }[] }) =>
  body.errors.map(({ pointer, code }) => [pointer, code])

test('a name can be changed alone and is trimmed; an empty update changes nothing', async () => {
  const before = (await user.get(ME)).body
  const { status, body } = await user.put(ME, { name: ' Ada King ' })
  expect([status, body.name]).toEqual([200, 'Ada King'])
  expect(body).toEqual({ ...before, name: 'Ada King', updated_at: expect.any(String) })
  expect(body.updated_at > before.updated_at).toBe(true)
  expect((await user.put(ME, {})).body).toEqual(body)
  expect((await user.get(ME)).body).toEqual(body)
})

test('an update with a stale ETag is refused', async () => {
  const seen = await user.get(ME)
  const tag = seen.headers.get('etag') ?? ''
  expect((await user.put(ME, { name: 'First' }, { 'If-Match': tag })).status).toBe(200)
  const late = await user.put(ME, { name: 'Second' }, { 'If-Match': tag })
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
})

test('validation errors name the field', async () => {
  const cases: [object, string][] = [
    [{ name: '' }, '/name'],
    [{ name: null }, '/name'],
    [{ email: 'no address' }, '/email'],
    [{ password: 'short', current_password: PASSWORD }, '/password'],
    [{ email_verified: true }, '/email_verified'],
    [{ id: crypto.randomUUID() }, '/id'],
  ]
  for (const [body, pointer] of cases) {
    const answer = await user.put(ME, body)
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer])
  }
})

describe('A new password', () => {
  test('requires the current one', async () => {
    const without = await user.put(ME, { password: NEW })
    expect([without.status, pointers(without.body)]).toEqual([422, [['/current_password', 'required']]])
    const wrong = await user.put(ME, { password: NEW, current_password: 'not the password' })
    expect([wrong.status, pointers(wrong.body)]).toEqual([422, [['/current_password', 'wrong_password']]])
    expect((await login(user.email, PASSWORD)).status).toBe(200)
  })

  test('replaces the old one, and ends other sessions', async () => {
    const other = user.as((await login(user.email, PASSWORD)).body.access_token)
    const script = user.as((await user.make('/api/v1/auth/tokens', { name: 'Script' })).token)
    expect((await user.put(ME, { password: NEW, current_password: PASSWORD })).status).toBe(200)
    expect((await user.get(ME)).status).toBe(200)
    expect((await other.get(ME)).status).toBe(401)
    expect((await script.get(ME)).status).toBe(200)
    expect((await login(user.email, PASSWORD)).status).toBe(401)
    expect((await login(user.email, NEW)).status).toBe(200)
  })

  test('sent twice concurrently with the same current password is accepted once', async () => {
    const passwords = ['the password of the first', 'the password of the second']
    const answers = await Promise.all(passwords.map((password) => user.put(ME, { password, current_password: PASSWORD })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await login(user.email, passwords[winner] ?? '')).status).toBe(200)
    expect((await login(user.email, passwords[1 - winner] ?? '')).status).toBe(401)
  })
})

describe('With EMAIL_VERIFICATION=off', () => {
  test('a new address takes effect at once', async () => {
    const email = `new.${user.email}`
    const { status, body } = await user.put(ME, { email, current_password: PASSWORD })
    expect([status, body.email, body.email_verified, body.pending_email]).toEqual([200, email, true, null])
    expect((await login(email, PASSWORD)).status).toBe(200)
    expect((await login(user.email, PASSWORD)).status).toBe(401)
  })

  test('an address of another account is refused, in any case', async () => {
    const other = await box.user('Other')
    const { status, body } = await user.put(ME, { email: other.email.toUpperCase(), current_password: PASSWORD })
    expect([status, body.code]).toEqual([409, 'email_taken'])
    expect((await user.get(ME)).body.email).toBe(user.email)
    const own = await user.put(ME, { email: user.email.toUpperCase() })
    expect([own.status, own.body.email]).toEqual([200, user.email])
  })

  test('the password is required at any time, and always checked if given', async () => {
    const wrong = await user.put(ME, { email: `new.${user.email}`, current_password: 'not the password' })
    expect([wrong.status, pointers(wrong.body)]).toEqual([422, [['/current_password', 'wrong_password']]])
    const without = await user.put(ME, { email: `new.${user.email}` })
    expect([without.status, pointers(without.body)]).toEqual([422, [['/current_password', 'required']]])
    expect((await user.put(ME, { email: user.email, name: 'Same address' })).status).toBe(200)
    expect((await user.put(ME, { email: `new.${user.email}`, current_password: PASSWORD })).status).toBe(200)
  })

  test('of concurrent users that take one address, one gets it', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => box.user('Racer')))
    const email = `wanted.${crypto.randomUUID()}@example.com`
    const answers = await Promise.all(people.map((each) => each.put(ME, { email, current_password: PASSWORD })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })
})
