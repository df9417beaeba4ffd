import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const ME = '/api/v1/users/me'

let box: Box
let mail: Mailbox
let user: Actor
let fresh: string

beforeAll(async () => {
  mail = await Mailbox.open()
  box = await signalbox({ environment: mail.environment })
})
afterAll(() => box.close())
beforeEach(async () => {
  user = await box.register('Grace Hopper')
  await verify(await mail.token(box, user.email, 'verify-email'))
  fresh = `fresh.${crypto.randomUUID()}@example.com`
})

const verify = (token: string) => box.request('POST', '/api/v1/auth/verify-email', { token })
const login = (email: string) => box.request('POST', '/api/v1/auth/login', { email, password: PASSWORD })

test('a new address is pending until its link is opened, and the old one is notified', async () => {
  const { status, body } = await user.put(ME, { email: fresh })
  expect([status, body.email, body.email_verified, body.pending_email]).toEqual([200, user.email, true, fresh])
  const { text } = await mail.newest(box, user.email, 'Your account was changed')
  expect(text).toContain(`from ${user.email} to ${fresh}`)
  expect(text).toMatch(/^https?:\/\/[^/]+\/app\/account$/m)
  expect((await login(fresh)).status).toBe(401)
  expect((await login(user.email)).status).toBe(200)
  const proven = await verify(await mail.token(box, fresh, 'verify-email'))
  expect(proven.status).toBe(200)
  expect(proven.body).toMatchObject({ id: user.id, email: fresh, email_verified: true, pending_email: null })
  expect((await login(user.email)).status).toBe(401)
  expect((await login(fresh)).status).toBe(200)
})

test('another change replaces a pending one and invalidates its link', async () => {
  await user.put(ME, { email: fresh })
  const first = await mail.token(box, fresh, 'verify-email')
  const next = `next.${fresh}`
  expect((await user.put(ME, { email: next })).body.pending_email).toBe(next)
  expect((await verify(first)).status).toBe(422)
  expect((await verify(await mail.token(box, next, 'verify-email'))).body.email).toBe(next)
})

test('setting the current address cancels a pending change', async () => {
  await user.put(ME, { email: fresh })
  const token = await mail.token(box, fresh, 'verify-email')
  const { status, body } = await user.put(ME, { email: user.email })
  expect([status, body.email, body.pending_email]).toEqual([200, user.email, null])
  expect((await verify(token)).status).toBe(422)
})

test('resending a link sends it to the pending address', async () => {
  await user.put(ME, { email: fresh })
  const first = await mail.token(box, fresh, 'verify-email')
  expect((await user.post('/api/v1/auth/verify-email/resend')).status).toBe(202)
  const second = await mail.token(box, fresh, 'verify-email', 2)
  expect((await verify(first)).status).toBe(422)
  expect((await verify(second)).body.email).toBe(fresh)
})

test('an address verified by another account is refused, at once or when its link is opened', async () => {
  const other = await box.register('Other')
  const claimed = await mail.token(box, other.email, 'verify-email')
  expect((await user.put(ME, { email: other.email })).status).toBe(200)
  const late = await mail.token(box, other.email, 'verify-email', 2)
  expect((await verify(claimed)).status).toBe(200)
  expect(await user.put(ME, { email: other.email.toUpperCase() })).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect(await verify(late)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect((await user.get(ME)).body.email).toBe(user.email)
})

test('an address of an unverified account can be taken over by verifying it', async () => {
  const squatter = await box.register('Squatter')
  // Two mails to one address may overtake each other.
  await mail.token(box, squatter.email, 'verify-email')
  await user.put(ME, { email: squatter.email })
  const token = await mail.token(box, squatter.email, 'verify-email', 2)
  expect((await verify(token)).body).toMatchObject({ id: user.id, email: squatter.email })
  expect((await squatter.get(ME)).status).toBe(401)
  expect((await login(squatter.email)).body.user.id).toBe(user.id)
})

test('an unverified account with a mistyped address can change it, and the wrong mailbox gets no further mail', async () => {
  const hasty = await box.register('Hasty')
  await mail.token(box, hasty.email, 'verify-email')
  await hasty.put(ME, { email: fresh })
  expect((await verify(await mail.token(box, fresh, 'verify-email'))).body).toMatchObject({ id: hasty.id, email: fresh })
  await mail.quiet(box)
  expect(mail.to(hasty.email)).toHaveLength(1)
})
