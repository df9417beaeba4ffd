import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import { type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

let box: Box
let count = 0

beforeAll(async () => {
  box = await signalbox({ workers: 0, environment: mailSettings(await mailCatcher()) })
})
afterAll(() => box.close())

const freshAddress = () => `person${++count}@example.com`
const register = (email: string, password = PASSWORD) =>
  box.request('POST', '/api/v1/auth/register', { email, name: 'Person', password })
const login = (email: string, password = PASSWORD) => box.request('POST', '/api/v1/auth/login', { email, password })
const verify = (token: string) => box.request('POST', '/api/v1/auth/verify-email', { token })

/** Creates the token of a verification link, as in the mail. */
async function createToken(user_id: string, email: string, lifetime = '24 hours'): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await box.sql`
    insert into email_verifications (hash, user_id, email, expires_at)
    values (${createHash('sha256').update(token).digest()}, ${user_id}, ${email}, now() + ${lifetime}::interval)
  `
  return token
}

test('a new account is unverified, and its mail is queued in the same transaction', async () => {
  const { status, body } = await register(freshAddress())
  expect([status, body.user.email_verified]).toEqual([201, false])
  const [job] = await box.sql`
    select job.payload
    from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where task.identifier = 'mail_verification' and job.payload ->> 'user_id' = ${body.user.id}
  `
  expect(job?.payload).toEqual({ user_id: body.user.id })
})

test('a link verifies the address once', async () => {
  const email = freshAddress()
  const { body } = await register(email)
  const token = await createToken(body.user.id, email)
  const proven = await verify(token)
  expect([proven.status, proven.body.id, proven.body.email_verified]).toEqual([200, body.user.id, true])
  const again = await verify(token)
  expect([again.status, again.body.errors[0].pointer]).toEqual([422, '/token'])
})

test('a link that is expired, unknown, or for a former address verifies nothing', async () => {
  const email = freshAddress()
  const { body } = await register(email)
  const tokens = [
    await createToken(body.user.id, email, '-1 second'),
    'nonsense',
    await createToken(body.user.id, 'other@example.com'),
  ]
  for (const token of tokens) expect((await verify(token)).status).toBe(422)
  const [user] = await box.sql`select email_verified from users where id = ${body.user.id}`
  expect(user?.email_verified).toBe(false)
})

test('registering again replaces an unverified account, whose password and link become invalid', async () => {
  const email = freshAddress()
  const first = (await register(email, 'the password of who came first')).body
  const stale = await createToken(first.user.id, email)
  const second = await register(email.toUpperCase(), 'the password of who came second')
  expect(second.status).toBe(201)
  expect(second.body.user.id).not.toBe(first.user.id)
  expect((await login(email, 'the password of who came first')).status).toBe(401)
  expect((await login(email, 'the password of who came second')).body.user.id).toBe(second.body.user.id)
  expect((await verify(stale)).status).toBe(422)
  expect((await verify(await createToken(second.body.user.id, email))).body.email_verified).toBe(true)
})

test('a replaced account is signed out at once: its sessions and tokens end', async () => {
  const email = freshAddress()
  const first = (await register(email)).body
  const session = { Authorization: `Bearer ${first.access_token}` }
  const { token } = (await box.request('POST', '/api/v1/auth/tokens', { name: 'Script' }, session)).body
  const second = (await register(email)).body
  for (const revoked of [first.access_token, token]) {
    const { status } = await box.request('GET', '/api/v1/users/me', undefined, { Authorization: `Bearer ${revoked}` })
    expect(status).toBe(401)
  }
  expect((await box.request('POST', '/api/v1/auth/refresh', { refresh_token: first.refresh_token })).status).toBe(401)
  expect((await login(`${first.user.id}@unproven.invalid`)).status).toBe(422)
  const mine = await box.request('GET', '/api/v1/users/me', undefined, { Authorization: `Bearer ${second.access_token}` })
  expect([mine.status, mine.body.email]).toEqual([200, email])
})

test('registering the placeholder address of a replaced account cannot prevent the replacement', async () => {
  const email = freshAddress()
  const squatter = (await register(email)).body.user
  const blocking = await register(`${squatter.id}@Unproven.invalid`)
  expect([blocking.status, blocking.body.errors[0].pointer]).toEqual([422, '/email'])
  expect((await register(email)).status).toBe(201)
})

test('registering again does not replace a verified account', async () => {
  const email = freshAddress()
  const { body } = await register(email)
  await verify(await createToken(body.user.id, email))
  const again = await register(email.toUpperCase())
  expect([again.status, again.body.code]).toEqual([409, 'email_taken'])
  expect((await login(email)).body.user.id).toBe(body.user.id)
})

test('a new link is mailed to unverified users only', async () => {
  const email = freshAddress()
  const { body } = await register(email)
  const resend = () =>
    box.request('POST', '/api/v1/auth/verify-email/resend', {}, { Authorization: `Bearer ${body.access_token}` })
  const jobs = async () =>
    (await box.sql`select from graphile_worker._private_jobs where payload ->> 'user_id' = ${body.user.id}`).length
  const before = await jobs()
  expect((await resend()).status).toBe(202)
  const after = await jobs()
  expect(after).toBeGreaterThan(before)
  await verify(await createToken(body.user.id, email))
  expect((await resend()).status).toBe(202)
  expect(await jobs()).toBe(after)
})
