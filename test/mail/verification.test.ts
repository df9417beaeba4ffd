import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { CapturedMail } from '../../bin/support/mail-catcher.ts'
import { Mailbox } from '../support/mailbox.ts'
import { whereIs } from '../support/secrecy.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

let box: Box
let mail: Mailbox
let user: Actor

beforeAll(async () => {
  mail = await Mailbox.open()
  box = await signalbox({ environment: mail.environment })
})

afterAll(() => box.close())

beforeEach(async () => {
  user = await box.register('Grace Hopper')
})

/** Waits for mail to an address, and returns all, newest first. */
async function mailsTo(email: string): Promise<CapturedMail[]> {
  await mail.newest(box, email, 'Verify your e-mail address')
  return mail.to(email)
}

const tokenFor = (email: string, count = 1): Promise<string> => mail.token(box, email, 'verify-email', count)

const prove = (token: string) => box.request('POST', '/api/v1/auth/verify-email', { token })

/** The response to any invalid token, which does not give the reason. */
const refused = {
  status: 422,
  body: expect.objectContaining({
    code: 'validation_failed',
    errors: [expect.objectContaining({ pointer: '/token', code: 'invalid_token' })],
  }),
}

describe('with EMAIL_VERIFICATION=required', () => {
  test('a link is mailed and works once', async () => {
    expect((await user.get('/api/v1/users/me')).body.email_verified).toBeFalse()
    const [message] = await mailsTo(user.email)
    expect(message).toMatchObject({ from: 'post@signalbox.example.com', to: [user.email], subject: 'Verify your e-mail address' })
    expect(message?.headers['auto-submitted']).toBe('auto-generated')
    const token = await tokenFor(user.email)
    const { status, body } = await prove(token)
    expect([status, body.id, body.email_verified]).toEqual([200, user.id, true])
    expect((await user.get('/api/v1/users/me')).body.email_verified).toBeTrue()
    expect(await prove(token)).toMatchObject(refused)
    expect(await mailsTo(user.email)).toHaveLength(1)
  })

  test('concurrent uses of a link verify once', async () => {
    const token = await tokenFor(user.email)
    const answers = await Promise.all([prove(token), prove(token), prove(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })

  test('the link is valid for a day', async () => {
    const token = await tokenFor(user.email)
    const [{ hours }] = await box.sql<[{ hours: number }]>`
      select extract(epoch from expires_at - now()) / 3600 as hours from email_verifications where user_id = ${user.id}
    `
    expect(hours).toBeWithin(23.9, 24.01)
    await box.sql`update email_verifications set expires_at = now() - interval '1 second' where user_id = ${user.id}`
    expect(await prove(token)).toMatchObject(refused)
    expect((await user.get('/api/v1/users/me')).body.email_verified).toBeFalse()
  })

  test('a new link replaces the previous one', async () => {
    const first = await tokenFor(user.email)
    expect((await user.post('/api/v1/auth/verify-email/resend')).status).toBe(202)
    const second = await tokenFor(user.email, 2)
    expect(second).not.toBe(first)
    expect(await prove(first)).toMatchObject(refused)
    expect((await prove(second)).status).toBe(200)
    // After verification, no more mail is sent.
    expect((await user.post('/api/v1/auth/verify-email/resend')).status).toBe(202)
    await mail.quiet(box)
    expect(await mailsTo(user.email)).toHaveLength(2)
  })

  test('registering a verified address is refused, and an unverified account is replaced', async () => {
    const again = () =>
      box.request('POST', '/api/v1/auth/register', { email: user.email.toUpperCase(), name: 'Later', password: PASSWORD })
    const old = await tokenFor(user.email)
    expect((await again()).status).toBe(201)
    // The link of the first account does not verify the address for it.
    expect(await prove(old)).toMatchObject(refused)
    const token = await tokenFor(user.email, 2)
    expect((await prove(token)).body).toMatchObject({ name: 'Later', email_verified: true })
    expect(await again()).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  })

  test.each(['', 'nonsense', 'x'.repeat(200)])('the token %p is refused', async (token) => {
    expect(await prove(token)).toMatchObject(refused)
  })

  test('the token appears only in the mail', async () => {
    const token = await tokenFor(user.email)
    expect(await whereIs(box, user.email)).toContain('public.users')
    expect(await whereIs(box, user.id)).toContain('output')
    expect(await whereIs(box, token)).toEqual([])
    await prove(token)
    expect(await whereIs(box, token)).toEqual([])
  })

  test('a name cannot inject mail headers', async () => {
    const email = `evil.${crypto.randomUUID()}@example.com`
    const broken = 'Eve"\r\nBcc: all@example.com\r\n\r\n<everybody@example.com>, '
    expect((await box.request('POST', '/api/v1/auth/register', { email, name: broken, password: PASSWORD })).status).toBe(422)
    const name = 'Eve" Bcc: all@example.com <everybody@example.com>, '
    expect((await box.request('POST', '/api/v1/auth/register', { email, name, password: PASSWORD })).status).toBe(201)
    const [message] = await mailsTo(email)
    expect(message?.to).toEqual([email])
    expect(message?.headers).not.toHaveProperty('bcc')
    expect(mail.to('all@example.com')).toEqual([])
  })

  test('the name given by an unverified user does not appear in the mail', async () => {
    const email = `stranger.${crypto.randomUUID()}@example.com`
    const name = 'Ada. Your account is locked: https://evil.test'
    expect((await box.request('POST', '/api/v1/auth/register', { email, name, password: PASSWORD })).status).toBe(201)
    const [message] = await mailsTo(email)
    for (const part of [message?.text, ...Object.values(message?.headers ?? {})]) expect(part).not.toContain('evil.test')
  })
})
