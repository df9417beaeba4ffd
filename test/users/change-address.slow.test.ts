import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { registerPasskey } from '../support/authenticator.ts'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp, codeOf, complete, ticketOf } from '../support/second-factors.ts'
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
  const { status, body } = await user.put(ME, { email: fresh, current_password: PASSWORD })
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
  await user.put(ME, { email: fresh, current_password: PASSWORD })
  const first = await mail.token(box, fresh, 'verify-email')
  const next = `next.${fresh}`
  expect((await user.put(ME, { email: next, current_password: PASSWORD })).body.pending_email).toBe(next)
  expect((await verify(first)).status).toBe(422)
  expect((await verify(await mail.token(box, next, 'verify-email'))).body.email).toBe(next)
})

test('setting the current address cancels a pending change', async () => {
  await user.put(ME, { email: fresh, current_password: PASSWORD })
  const token = await mail.token(box, fresh, 'verify-email')
  const { status, body } = await user.put(ME, { email: user.email, current_password: PASSWORD })
  expect([status, body.email, body.pending_email]).toEqual([200, user.email, null])
  expect((await verify(token)).status).toBe(422)
})

test('resending a link sends it to the pending address', async () => {
  await user.put(ME, { email: fresh, current_password: PASSWORD })
  const first = await mail.token(box, fresh, 'verify-email')
  expect((await user.post('/api/v1/auth/verify-email/resend')).status).toBe(202)
  const second = await mail.token(box, fresh, 'verify-email', 2)
  expect((await verify(first)).status).toBe(422)
  expect((await verify(second)).body.email).toBe(fresh)
})

test('an address verified by another account is refused, at once or when its link is opened', async () => {
  const other = await box.register('Other')
  const claimed = await mail.token(box, other.email, 'verify-email')
  expect((await user.put(ME, { email: other.email, current_password: PASSWORD })).status).toBe(200)
  const late = await mail.token(box, other.email, 'verify-email', 2)
  expect((await verify(claimed)).status).toBe(200)
  expect(await user.put(ME, { email: other.email.toUpperCase(), current_password: PASSWORD })).toMatchObject({
    status: 409,
    body: { code: 'email_taken' },
  })
  expect(await verify(late)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect((await user.get(ME)).body.email).toBe(user.email)
})

test('an address of an unverified account can be taken over by verifying it', async () => {
  const squatter = await box.register('Squatter')
  // Two mails to one address may overtake each other.
  await mail.token(box, squatter.email, 'verify-email')
  await user.put(ME, { email: squatter.email, current_password: PASSWORD })
  const token = await mail.token(box, squatter.email, 'verify-email', 2)
  expect((await verify(token)).body).toMatchObject({ id: user.id, email: squatter.email })
  expect((await squatter.get(ME)).status).toBe(401)
  expect((await login(squatter.email)).body.user.id).toBe(user.id)
})

test('an unverified account with a mistyped address can change it, and the wrong mailbox gets no further mail', async () => {
  const hasty = await box.register('Hasty')
  await mail.token(box, hasty.email, 'verify-email')
  await hasty.put(ME, { email: fresh, current_password: PASSWORD })
  expect((await verify(await mail.token(box, fresh, 'verify-email'))).body).toMatchObject({ id: hasty.id, email: fresh })
  await mail.quiet(box)
  expect(mail.to(hasty.email)).toHaveLength(1)
})

const CHANGED = 'Your account was changed'
const FORMER = { status: 422, body: { errors: [{ pointer: '/token', code: 'invalid_token' }] } }

/** The token of the newest link that takes back a change. */
async function reversal(email: string, count = 1): Promise<string> {
  const { text } = await mail.newest(box, email, CHANGED, count)
  const [, token] = /\/restore-email\?token=([\w-]+)\n/.exec(text) ?? []
  if (!token) throw new Error(`There is no link in ${text}`)
  return token
}

const restore = (token: string) => box.request('POST', '/api/v1/auth/restore-email', { token })

/** Changes the address, with the password, and opens the link that is mailed to the new one. */
async function move(to: string, by: Actor = user): Promise<void> {
  expect((await by.put(ME, { email: to, current_password: PASSWORD })).body.pending_email).toBe(to)
  expect((await verify(await mail.token(box, to, 'verify-email'))).body.email).toBe(to)
}

test('changing the address takes the current password, however fresh the session, and so does withdrawing a change', async () => {
  const required = { status: 422, body: { errors: [{ pointer: '/current_password', code: 'required' }] } }
  expect(await user.put(ME, { email: fresh })).toMatchObject(required)
  expect(await user.put(ME, { email: fresh, current_password: 'not the password' })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/current_password', code: 'wrong_password' }] },
  })
  expect((await user.get(ME)).body.pending_email).toBeNull()
  await user.put(ME, { email: fresh, current_password: PASSWORD })
  expect(await user.put(ME, { email: user.email })).toMatchObject(required)
  expect((await user.get(ME)).body.pending_email).toBe(fresh)
})

test('the former address takes a change back, which ends everything and mails a link to set a new password', async () => {
  const token = await user.make('/api/v1/auth/tokens', { name: 'Old' })
  await box.sql`
    insert into user_identities (user_id, provider, team_id, external_id)
    values (${user.id}, 'slack', 'T1', ${user.id})
  `
  await move(fresh)
  const { body: thief } = await login(fresh)
  const visitor = new PageClient(box)
  const page = await visitor.open(`/restore-email?token=${await reversal(user.email, 2)}`)
  expect((await box.request('GET', ME, undefined, { Authorization: `Bearer ${thief.access_token}` })).body.email).toBe(fresh)
  const done = await visitor.press(page, 'Take back the change')
  expect([done.status, done.path]).toEqual([200, '/sign-in'])
  expect(done.text).toContain(`The address of the account is ${user.email} again`)
  for (const ended of [thief.access_token, user.token, token.token]) expect((await user.as(ended).get(ME)).status).toBe(401)
  expect(await box.sql`select from user_identities where user_id = ${user.id}`).toHaveLength(0)
  const reset = await mail.token(box, user.email, 'reset-password')
  const password = 'only I know this password'
  expect((await box.request('POST', '/api/v1/auth/password-reset/confirm', { token: reset, password })).status).toBe(204)
  expect((await login(fresh)).status).toBe(401)
  expect((await login(user.email)).status).toBe(401)
  const { body } = await box.request('POST', '/api/v1/auth/login', { email: user.email, password })
  expect(body.user).toMatchObject({ email: user.email, email_verified: true, pending_email: null })
})

test('a link takes a change back that is still pending, and works once and for 72 hours', async () => {
  await user.put(ME, { email: fresh, current_password: PASSWORD })
  const pending = await mail.token(box, fresh, 'verify-email')
  const token = await reversal(user.email)
  const [{ hours }] = await box.sql<[{ hours: number }]>`
    select extract(epoch from expires_at - now()) / 3600 as hours from address_reversals where user_id = ${user.id}
  `
  expect(hours).toBeWithin(71.9, 72.01)
  expect((await restore(token)).status).toBe(204)
  expect(await restore(token)).toMatchObject(FORMER)
  expect((await verify(pending)).status).toBe(422)
  const { body } = await login(user.email)
  expect(body.user.pending_email).toBeNull()
  await box.sql`update address_reversals set expires_at = now() where user_id = ${user.id}`
  expect(await restore('nonsense')).toMatchObject(FORMER)
})

test('a thief who changes the address twice, or takes back or resets at the second, cannot keep the first from it', async () => {
  const second = `second.${fresh}`
  await move(fresh)
  const first = await reversal(user.email, 2)
  await move(second)
  const thiefs = await reversal(fresh, 2)
  expect((await restore(thiefs)).status).toBe(204)
  const reset = await mail.token(box, fresh, 'reset-password')
  const password = 'a password that the thief set'
  expect((await box.request('POST', '/api/v1/auth/password-reset/confirm', { token: reset, password })).status).toBe(204)
  expect((await restore(first)).status).toBe(204)
  const { body } = await box.request('POST', '/api/v1/auth/login', { email: user.email, password })
  expect(body.user.email).toBe(user.email)
})

test('when a change is taken back, no link about a later one works', async () => {
  await move(fresh)
  const first = await reversal(user.email, 2)
  await move(`second.${fresh}`)
  const later = await reversal(fresh, 2)
  expect((await restore(first)).status).toBe(204)
  expect(await restore(later)).toMatchObject(FORMER)
  // Nor does one that is mailed late.
  await box.sql`
    select graphile_worker.add_job('mail_security_notice', json_build_object('entry_id', id))
    from security_log_entries
    where user_id = ${user.id} and email = ${fresh} and action = 'email.changed'
  `
  expect((await mail.newest(box, fresh, CHANGED, 3)).text).not.toContain('/restore-email')
})

/** Takes a change back with the link about it, and sets a new password. Other mails about the account may have come meanwhile. */
async function takeBackAndReset(password: string): Promise<void> {
  const found = () =>
    mail.to(user.email).flatMap(({ text }) => /was changed from.*\/restore-email\?token=([\w-]+)\n/s.exec(text)?.[1] ?? [])
  await box.until('the link came', async () => found().length > 0)
  expect((await restore(found()[0] ?? '')).status).toBe(204)
  const token = await mail.token(box, user.email, 'reset-password')
  expect((await box.request('POST', '/api/v1/auth/password-reset/confirm', { token, password })).status).toBe(204)
}

const OWN = 'only I know this password'
const CODES = '/api/v1/auth/recovery-codes'

test('taking a change back removes the second factors and recovery codes that were added since it began, and no earlier ones', async () => {
  const { secret } = await addTotp(box, user)
  await user.put(ME, { email: fresh, current_password: PASSWORD })
  const thiefs = await registerPasskey(box, user)
  await verify(await mail.token(box, fresh, 'verify-email'))
  const { recovery_codes } = await user.make(CODES)
  await takeBackAndReset(OWN)
  const { body: options } = await box.request('POST', '/api/v1/auth/passkey/options')
  const assertion = await thiefs.get(options)
  expect((await box.request('POST', '/api/v1/auth/passkey', { assertion })).body.code).toBe('passkey_invalid')
  const ticket = await ticketOf(box, user, OWN)
  const [recovery_code] = recovery_codes
  expect((await complete(box, ticket, { recovery_code })).body.code).toBe('invalid_second_factor')
  const { status, body } = await complete(box, ticket, { code: codeOf(secret) })
  expect(status).toBe(200)
  const { items } = (await user.as(body.access_token).get(`${ME}/security-log`)).body
  const entry = items.find(({ action }: { action: string }) => action === 'email.restored')
  expect(entry.detail).toEndWith('A second factor that was added since the change began was removed.')
})

test('taking a change back lets an owner in whose organization requires the second factor that a thief added', async () => {
  const { id } = await user.make('/api/v1/organizations', { name: 'Acme Robotics' })
  await move(fresh)
  await registerPasskey(box, user)
  await user.make(CODES)
  expect((await user.put(`/api/v1/organizations/${id}`, { require_second_factor: true })).status).toBe(200)
  await takeBackAndReset(OWN)
  const { body } = await box.request('POST', '/api/v1/auth/login', { email: user.email, password: OWN })
  const owner = user.as(body.access_token)
  expect((await owner.get('/api/v1/auth/second-factors')).body).toMatchObject({ methods: [], recovery_codes_left: 0 })
  expect((await owner.get(`/api/v1/organizations/${id}`)).body.code).toBe('second_factor_required')
  await addTotp(box, owner)
  expect((await owner.get(`/api/v1/organizations/${id}`)).status).toBe(200)
})
