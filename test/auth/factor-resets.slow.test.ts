import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Answer } from '../support/actor.ts'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp, complete, login, ticketOf } from '../support/second-factors.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const NEW = 'a new password to keep'

let box: Box
let mail: Mailbox
let owner: Actor
let member: Actor
let members: string
let recovery_codes: string[]
let count = 0

beforeAll(async () => {
  mail = await Mailbox.open()
  box = await signalbox({ environment: { ...mail.environment, RATE_LIMIT: '1000', TRUST_PROXY: '1' } })
})
afterAll(() => box.close())
beforeEach(async () => {
  owner = await box.user('Owner')
  member = await box.user('Member')
  const { id } = await owner.make('/api/v1/organizations', { name: 'Acme Robotics' })
  members = `/api/v1/organizations/${id}/members`
  await owner.make(members, { email: member.email })
  recovery_codes = (await addTotp(box, member)).recovery_codes
})

const refusal = ({ status, body }: Answer) => [status, body?.code]
const methods = async () => (await member.get('/api/v1/auth/second-factors')).body.methods

/** Every request comes from another network, of which each has its own limit of requests. */
const reset = (token: string, current_password: string) =>
  box.request(
    'POST',
    '/api/v1/auth/second-factors/reset',
    { token, current_password },
    { 'X-Forwarded-For': `198.51.100.${++count}` },
  )

/** The mail about a reset that the owner asked for, and the token of its link. */
async function ask(): Promise<{ text: string; token: string }> {
  const found = () =>
    mail.to(member.email).flatMap(({ text }) => {
      const token = /\/reset-second-factors\?token=([\w-]+)/.exec(text)?.[1]
      return token ? [{ text, token }] : []
    })
  const before = found().length
  expect((await owner.post(`${members}/${member.id}/reset-second-factors`)).status).toBe(202)
  await box.until('the link came', async () => found().length > before)
  return found()[0] as { text: string; token: string }
}

async function resetPassword(): Promise<void> {
  await box.request('POST', '/api/v1/auth/password-reset', { email: member.email })
  const token = await mail.token(box, member.email, 'reset-password')
  const { status } = await box.request('POST', '/api/v1/auth/password-reset/confirm', { token, password: NEW })
  expect(status).toBe(204)
}

test('whoever has the mailbox alone cannot sign in, in whatever order they use the links', async () => {
  const { token } = await ask()
  expect(refusal(await reset(token, 'a guessed password'))).toEqual([422, 'validation_failed'])
  await resetPassword()
  expect((await reset(token, NEW)).body.errors).toMatchObject([{ pointer: '/token', code: 'invalid_token' }])
  const { token: later } = await ask()
  const refused = await reset(later, NEW)
  expect(refusal(refused)).toEqual([409, 'password_recently_reset'])
  const [{ until }] = await box.sql<[{ until: string }]>`
    select password_reset_at + interval '7 days' as until from users where id = ${member.id}
  `
  for (const part of [until.slice(0, 10), 'recovery code', 'another second factor', 'operator'])
    expect(refused.body.detail).toContain(part)
  const page = await new PageClient(box).post(`/reset-second-factors?token=${later}`, { current_password: NEW })
  expect([page.status, page.text.includes(refused.body.detail)]).toEqual([409, true])
  expect(refusal(await login(box, member, NEW))).toEqual([401, 'second_factor_required'])
  const [recovery_code = ''] = recovery_codes
  expect((await complete(box, await ticketOf(box, member, NEW), { recovery_code })).status).toBe(200)
})

test('a link that was refused after a password reset works 7 days after it', async () => {
  await resetPassword()
  const { token } = await ask()
  await box.sql`update users set password_reset_at = now() - interval '7 days' + interval '1 minute' where id = ${member.id}`
  expect(refusal(await reset(token, NEW))).toEqual([409, 'password_recently_reset'])
  await box.sql`update users set password_reset_at = now() - interval '7 days' where id = ${member.id}`
  expect((await reset(token, NEW)).status).toBe(204)
  expect((await login(box, member, NEW)).status).toBe(200)
})

test('wrong passwords leave the link valid, and after ten of them it and the sign-in wait', async () => {
  const { token } = await ask()
  const wrong = await reset(token, 'wrong password')
  expect(wrong.body.errors).toMatchObject([{ pointer: '/current_password', code: 'wrong_password' }])
  expect(await methods()).toContain('totp')
  const [entry] = (await member.get('/api/v1/users/me/security-log')).body.items
  expect(entry.action).toBe('password.refused')
  const guesses = await Promise.all(Array.from({ length: 20 }, () => reset(token, 'wrong password')))
  expect(guesses.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(422), ...Array(11).fill(429)])
  expect(refusal(await reset(token, PASSWORD))).toEqual([429, 'rate_limited'])
  const elsewhere = { 'X-Forwarded-For': '203.0.113.7' }
  const signIn = await box.request('POST', '/api/v1/auth/login', { email: member.email, password: PASSWORD }, elsewhere)
  expect(refusal(signIn)).toEqual([429, 'rate_limited'])
  expect((await login(box, member)).body.code).toBe('second_factor_required')
  expect(await methods()).toContain('totp')
  await box.sql`delete from recent_uses`
  expect((await reset(token, PASSWORD)).status).toBe(204)
  expect(await methods()).toEqual([])
})

test('a lost phone: the page asks for the password, again after a wrong one, and then the password alone signs in', async () => {
  const { text, token } = await ask()
  for (const part of ['needs your password as well', 'leave that organization']) expect(text).toContain(part)
  const visitor = new PageClient(box)
  const page = await visitor.open(`/reset-second-factors?token=${token}`)
  const again = await visitor.press(page, 'Remove my second factors', { current_password: 'wrong password' })
  expect([again.status, again.text.includes('is not your current password')]).toEqual([422, true])
  const done = await visitor.press(again, 'Remove my second factors', { current_password: PASSWORD })
  expect(done.path).toBe('/sign-in')
  expect((await login(box, member)).status).toBe(200)
})

test('of concurrent uses of one link, one removes the factors', async () => {
  const { token } = await ask()
  const answers = await Promise.all([1, 2, 3].map(() => reset(token, PASSWORD)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 422, 422])
})

test('a reset of a member whose address is not verified is refused, and not in the audit log', async () => {
  await box.sql`update users set email_verified = false where id = ${member.id}`
  const refused = await owner.post(`${members}/${member.id}/reset-second-factors`)
  expect(refusal(refused)).toEqual([409, 'invalid_transition'])
  expect(refused.body.detail).toContain('not verified their e-mail address')
  const { body } = await owner.get(`${members.replace('/members', '')}/audit-logs`)
  expect(body.items.map(({ action }: { action: string }) => action)).not.toContain('member.second_factor_reset')
})

test('an owner asks for a reset in person, or with a token that decides', async () => {
  const askWith = async (scope: string) => {
    const { token } = await owner.make('/api/v1/auth/tokens', { name: 'Script', scope })
    return owner.as(token).post(`${members}/${member.id}/reset-second-factors`)
  }
  expect(refusal(await askWith('write'))).toEqual([403, 'person_required'])
  await mail.quiet(box)
  expect(mail.to(member.email).filter(({ text }) => text.includes('/reset-second-factors'))).toEqual([])
  expect((await askWith('decide')).status).toBe(202)
})

test('the mailed link does not remove the last second factor of an owner who needs one, and stays valid', async () => {
  const { id } = await member.make('/api/v1/organizations', { name: 'Own' })
  const require = (isRequired: boolean) => member.put(`/api/v1/organizations/${id}`, { require_second_factor: isRequired })
  expect((await require(true)).status).toBe(200)
  const { token } = await ask()
  expect(refusal(await reset(token, PASSWORD))).toEqual([409, 'second_factor_required'])
  expect(await methods()).toEqual(['totp', 'recovery_code'])
  expect((await require(false)).status).toBe(200)
  expect((await reset(token, PASSWORD)).status).toBe(204)
  expect(await methods()).toEqual([])
})
