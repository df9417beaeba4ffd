import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { registerPasskey } from '../support/authenticator.ts'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp } from '../support/second-factors.ts'
import { whereIs } from '../support/secrecy.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const NEW = 'a new password to keep'
const ME = '/api/v1/users/me'

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

const ask = (email: string) => box.request('POST', '/api/v1/auth/password-reset', { email })
const confirm = (token: string, password = NEW) => box.request('POST', '/api/v1/auth/password-reset/confirm', { token, password })
const login = (email: string, password: string) => box.request('POST', '/api/v1/auth/login', { email, password })

/** Requests a reset and returns the token of the mailed link. */
async function requestLink(email = user.email, count = 1): Promise<string> {
  await ask(email)
  return mail.token(box, email, 'reset-password', count)
}

const refused = {
  status: 422,
  body: expect.objectContaining({
    code: 'validation_failed',
    errors: [expect.objectContaining({ pointer: '/token', code: 'invalid_token' })],
  }),
}

test('a mailed link sets a new password once, and verifies the address', async () => {
  const token = await requestLink(user.email.toUpperCase())
  const { status, body } = await confirm(token)
  expect([status, body]).toEqual([204, null])
  expect((await login(user.email, PASSWORD)).status).toBe(401)
  const session = await login(user.email, NEW)
  expect([session.status, session.body.user.email_verified]).toEqual([200, true])
  expect(await confirm(token, 'yet another password')).toMatchObject(refused)
  expect((await login(user.email, NEW)).status).toBe(200)
})

test('a reset revokes sessions and personal tokens, and drops a pending address', async () => {
  const token = await user.make('/api/v1/auth/tokens', { name: 'Old' })
  const { body: other } = await login(user.email, PASSWORD)
  const thief = `thief.${crypto.randomUUID()}@example.com`
  expect((await user.put(ME, { email: thief, current_password: PASSWORD })).body.pending_email).toBe(thief)
  const stolen = await mail.token(box, thief, 'verify-email')
  expect((await confirm(await requestLink())).status).toBe(204)
  for (const old of [user.token, other.access_token, token.token]) expect((await user.as(old).get(ME)).status).toBe(401)
  const refresh = await box.request('POST', '/api/v1/auth/refresh', { refresh_token: user.refreshToken })
  expect(refresh.status).toBe(401)
  expect((await box.request('POST', '/api/v1/auth/verify-email', { token: stolen })).status).toBe(422)
  const { body: session } = await login(user.email, NEW)
  expect(session.user).toMatchObject({ email: user.email, pending_email: null })
  const fresh = user.as(session.access_token)
  expect((await fresh.get('/api/v1/auth/tokens')).body).toEqual([])
  const later = await fresh.make('/api/v1/auth/tokens', { name: 'Later' })
  expect((await user.as(later.token).get(ME)).status).toBe(200)
})

test('a reset ends what acts for the person without a session: linked Slack accounts and mailed links that decide gates', async () => {
  const [owner, admin] = [await box.user('Owner'), await box.user('Admin')]
  const site = await box.site(owner)
  await box.join(admin, site, 'admin')
  await box.sql`
    insert into user_identities (user_id, provider, team_id, external_id)
    values (${admin.id}, 'slack', 'T1', ${admin.id})
  `
  const execution = await box.running(owner, site.project.id)
  const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  const links = () => mail.to(admin.email).flatMap(({ text }) => /\/decide\?token=[\w.-]+/.exec(text)?.[0] ?? [])
  await box.until('the link came', async () => links().length === 1)
  expect((await confirm(await requestLink(admin.email))).status).toBe(204)
  const visitor = new PageClient(box)
  const used = await visitor.post(links()[0] ?? '', { decision: 'approve', comment: '' })
  expect(used.status).toBe(410)
  expect((await owner.get(`/api/v1/gates/${gate.id}`)).body).toMatchObject({ status: 'pending', approvals: [] })
  expect(await box.sql`select from user_identities where user_id = ${admin.id}`).toHaveLength(0)
  const { text } = await mail.newest(box, admin.email, 'Your account was changed')
  expect(text).toContain('linked Slack accounts were unlinked')
})

test('a person who registered the address of someone else keeps no second factor, and so no way in, after its owner has reset the password', async () => {
  const { body: options } = await box.request('POST', '/api/v1/auth/passkey/options')
  const device = await registerPasskey(box, user)
  await addTotp(box, user)
  expect((await confirm(await requestLink())).status).toBe(204)
  const { status, body } = await box.request('POST', '/api/v1/auth/passkey', { assertion: await device.get(options) })
  expect([status, body.code]).toEqual([401, 'passkey_invalid'])
  const session = await login(user.email, NEW)
  expect(session.status).toBe(200)
  const { body: left } = await user.as(session.body.access_token).get('/api/v1/auth/second-factors')
  expect(left).toMatchObject({ methods: [], recovery_codes_left: 0 })
  const said = '2 second factors were removed, because the address had never been verified'
  await box.until('the mail came', async () => mail.to(user.email).some(({ text }) => text.includes(said)))
})

test('an unknown address gets the same response, and no mail', async () => {
  const known = await ask(user.email)
  const unknown = await ask('nobody.here@example.com')
  for (const { status, body } of [known, unknown]) expect([status, body]).toEqual([202, null])
  const names = ({ headers }: { headers: Headers }) => [...headers.keys()].sort()
  expect(names(unknown)).toEqual(names(known))
  await mail.token(box, user.email, 'reset-password')
  await mail.quiet(box)
  expect(mail.to('nobody.here@example.com')).toEqual([])
  expect(await box.sql`select from password_resets where email = 'nobody.here@example.com'`).toHaveLength(0)
})

test('of concurrent uses of one link, one sets a password', async () => {
  const token = await requestLink()
  const passwords = ['the password of the first', 'the password of the second', 'the password of the third']
  const answers = await Promise.all(passwords.map((password) => confirm(token, password)))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 422, 422])
  const winner = passwords[answers.findIndex(({ status }) => status === 204)] ?? ''
  for (const password of passwords) {
    expect((await login(user.email, password)).status).toBe(password === winner ? 200 : 401)
  }
})

test('a link is valid for an hour', async () => {
  const token = await requestLink()
  const [{ minutes }] = await box.sql<[{ minutes: number }]>`
    select extract(epoch from expires_at - now()) / 60 as minutes from password_resets where user_id = ${user.id}
  `
  expect(minutes).toBeWithin(59, 60.1)
  await box.sql`update password_resets set expires_at = now() where user_id = ${user.id}`
  expect(await confirm(token)).toMatchObject(refused)
  expect((await login(user.email, PASSWORD)).status).toBe(200)
})

test('a newer link leaves an older one valid, and using either ends both', async () => {
  const first = await requestLink()
  const second = await requestLink(user.email, 2)
  expect((await confirm(first)).status).toBe(204)
  expect(await confirm(second)).toMatchObject(refused)
})

test('a link to a former address of the account is invalid', async () => {
  const token = await requestLink()
  await box.sql`update users set email = ${`moved.${user.email}`} where id = ${user.id}`
  expect(await confirm(token)).toMatchObject(refused)
})

test('changing the password invalidates a link', async () => {
  const token = await requestLink()
  expect((await user.put(ME, { password: 'chosen by hand, not by link', current_password: PASSWORD })).status).toBe(200)
  expect(await confirm(token)).toMatchObject(refused)
})

test('malformed tokens, passwords and addresses are refused', async () => {
  for (const token of ['', 'nonsense', 'x'.repeat(200)]) expect(await confirm(token)).toMatchObject(refused)
  const token = await requestLink()
  for (const password of ['short', 'x'.repeat(257)]) {
    expect((await confirm(token, password)).body.errors[0].pointer).toBe('/password')
  }
  expect((await ask('no address')).body.errors[0].pointer).toBe('/email')
  expect((await confirm(token)).status).toBe(204)
})

test('the token appears only in the mail, and the change of password is mailed', async () => {
  const token = await requestLink()
  expect(await whereIs(box, token)).toEqual([])
  await confirm(token)
  expect(await whereIs(box, token)).toEqual([])
  expect(await whereIs(box, NEW)).toEqual([])
  const { text } = await mail.newest(box, user.email, 'Your account was changed')
  expect(text).toContain('The password was reset with a mailed link')
})
