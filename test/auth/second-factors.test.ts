import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Answer } from '../support/actor.ts'
import { registerPasskey } from '../support/authenticator.ts'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp, codeOf, complete, forgetCodes, letSignInAge, login, ticketOf } from '../support/second-factors.ts'
import { whereIs } from '../support/secrecy.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const ME = '/api/v1/users/me'
const TOTP = '/api/v1/auth/totp'

let box: Box
let mail: Mailbox
let user: Actor

beforeAll(async () => {
  mail = await Mailbox.open()
  box = await signalbox({ environment: mail.environment })
})
afterAll(() => box.close())
beforeEach(async () => {
  user = await box.user('Grace Hopper')
})

const refusal = ({ status, body }: Answer) => [status, body?.code]
const removeTotp = (body?: object) => user.request('DELETE', TOTP, body)
const log = async () => (await user.get(`${ME}/security-log?page_size=100`)).body.items

test('an authenticator app is set up with a secret, a URI for a QR code and a code, and gives 10 recovery codes', async () => {
  const setup = await user.make(TOTP)
  expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(setup.uri)
  expect([uri.protocol, uri.host, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
    'otpauth:',
    'totp',
    setup.secret,
    'Signalbox',
  ])
  expect(decodeURIComponent(uri.pathname)).toContain(user.email)
  expect((await login(box, user)).status).toBe(200)
  const { status, body } = await user.post(`${TOTP}/confirm`, { code: codeOf(setup.secret) })
  expect(status).toBe(200)
  expect(body.recovery_codes).toHaveLength(10)
  expect(new Set(body.recovery_codes).size).toBe(10)
  expect((await user.get('/api/v1/auth/second-factors')).body).toMatchObject({
    methods: ['totp', 'recovery_code'],
    recovery_codes_left: 10,
  })
  expect((await log())[0].action).toBe('second_factor.added')
  expect((await mail.newest(box, user.email, 'Your account was changed')).text).toContain('authenticator app was added')
  expect(await whereIs(box, setup.secret)).toEqual([])
  expect(await whereIs(box, body.recovery_codes[0])).toEqual([])
  expect(await whereIs(box, body.recovery_codes[0].replaceAll('-', ''))).toEqual([])
})

test('a wrong code confirms nothing; only the session that began can confirm, and within 10 minutes', async () => {
  expect(refusal(await user.post(`${TOTP}/confirm`, { code: '123456' }))).toEqual([404, 'not_found'])
  const { secret } = await user.make(TOTP)
  const wrong = await user.post(`${TOTP}/confirm`, { code: codeOf(secret, 60) })
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/code'])
  const other = user.as((await login(box, user)).body.access_token)
  expect(refusal(await other.post(`${TOTP}/confirm`, { code: codeOf(secret) }))).toEqual([404, 'not_found'])
  await box.sql`update totp_setups set expires_at = now() where user_id = ${user.id}`
  expect(refusal(await user.post(`${TOTP}/confirm`, { code: codeOf(secret) }))).toEqual([404, 'not_found'])
  expect((await login(box, user)).status).toBe(200)
})

test('the password alone opens no session: a ticket and a code do, once', async () => {
  const { secret } = await addTotp(box, user)
  const first = await login(box, user)
  expect(refusal(first)).toEqual([401, 'second_factor_required'])
  expect(first.body.methods).toEqual(['totp', 'recovery_code'])
  expect(first.headers.get('www-authenticate')).toBe('Bearer')
  const { ticket } = first.body
  expect(await whereIs(box, ticket)).toEqual([])
  expect((await user.as(ticket).get(ME)).status).toBe(401)
  const { status, body } = await complete(box, ticket, { code: codeOf(secret) })
  expect([status, body.user.id]).toEqual([200, user.id])
  expect((await user.as(body.access_token).get(ME)).status).toBe(200)
  await forgetCodes(box, user)
  expect(refusal(await complete(box, ticket, { code: codeOf(secret) }))).toEqual([401, 'invalid_ticket'])
  expect((await log())[0]).toMatchObject({
    action: 'sign_in.succeeded',
    detail: 'Signed in with the password and the authenticator app.',
  })
})

test('a code works once, also the one that confirmed', async () => {
  const { secret } = await user.make(TOTP)
  const code = codeOf(secret)
  await user.make(`${TOTP}/confirm`, { code })
  expect(refusal(await complete(box, await ticketOf(box, user), { code }))).toEqual([401, 'invalid_second_factor'])
  await forgetCodes(box, user)
  const now = codeOf(secret)
  expect((await complete(box, await ticketOf(box, user), { code: now })).status).toBe(200)
  expect(refusal(await complete(box, await ticketOf(box, user), { code: now }))).toEqual([401, 'invalid_second_factor'])
})

test('of twenty concurrent sign-ins with one ticket, or with one code, one succeeds', async () => {
  const { secret, recovery_codes } = await addTotp(box, user)
  const ticket = await ticketOf(box, user)
  const code = codeOf(secret)
  const opened = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length
  expect(opened(await Promise.all(Array.from({ length: 20 }, () => complete(box, ticket, { code }))))).toBe(1)
  await forgetCodes(box, user)
  const tickets = await Promise.all(Array.from({ length: 20 }, () => ticketOf(box, user)))
  expect(opened(await Promise.all(tickets.map((each) => complete(box, each, { code: codeOf(secret) }))))).toBe(1)
  const again = await ticketOf(box, user)
  const answers = await Promise.all(recovery_codes.map((recovery_code) => complete(box, again, { recovery_code })))
  expect(opened(answers)).toBe(1)
  // The others were rolled back with their sign-ins.
  expect((await user.get('/api/v1/auth/second-factors')).body.recovery_codes_left).toBe(9)
  const [first] = await Promise.all(
    tickets.slice(0, 10).map((each) => complete(box, each, { recovery_code: recovery_codes.find(Boolean) })),
  )
  expect([200, 401]).toContain(first?.status ?? 0)
})

test('a ticket is of one account: the factors of another do not complete it', async () => {
  const other = await box.user('Mallory')
  await addTotp(box, user)
  const { secret, recovery_codes } = await addTotp(box, other)
  const ticket = await ticketOf(box, user)
  expect(refusal(await complete(box, ticket, { code: codeOf(secret) }))).toEqual([401, 'invalid_second_factor'])
  const [recovery_code] = recovery_codes
  expect(refusal(await complete(box, ticket, { recovery_code }))).toEqual([401, 'invalid_second_factor'])
  expect(refusal(await complete(box, ticket, {}))).toEqual([422, 'validation_failed'])
  expect(refusal(await complete(box, ticket, { code: codeOf(secret), recovery_code }))).toEqual([422, 'validation_failed'])
  expect(refusal(await complete(box, 'sbx_st_unknown', { code: codeOf(secret) }))).toEqual([401, 'invalid_ticket'])
})

test('a ticket expires, and a new password ends it', async () => {
  const { secret } = await addTotp(box, user)
  const old = await ticketOf(box, user)
  await box.sql`update sign_in_tickets set expires_at = now() where user_id = ${user.id}`
  expect(refusal(await complete(box, old, { code: codeOf(secret) }))).toEqual([401, 'invalid_ticket'])
  const before = await ticketOf(box, user)
  await user.put(ME, { password: 'a new password to keep', current_password: PASSWORD })
  expect(refusal(await complete(box, before, { code: codeOf(secret) }))).toEqual([401, 'invalid_ticket'])
})

test('a recovery code works once, in any spelling, and its use is mailed', async () => {
  const { recovery_codes } = await addTotp(box, user)
  const [code = ''] = recovery_codes
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')}`
  expect((await complete(box, await ticketOf(box, user), { recovery_code: typed })).status).toBe(200)
  const again = await complete(box, await ticketOf(box, user), { recovery_code: code })
  expect(refusal(again)).toEqual([401, 'invalid_second_factor'])
  expect((await log()).map(({ action }: { action: string }) => action)).toContain('recovery_code.used')
  await mail.quiet(box)
  expect(mail.to(user.email).some(({ text }) => text.includes('recovery code was used to sign in. 9 are left.'))).toBe(true)
})

test('new recovery codes replace the old ones, and exist only alongside a second factor', async () => {
  expect(refusal(await user.post('/api/v1/auth/recovery-codes'))).toEqual([409, 'second_factor_required'])
  const { recovery_codes } = await addTotp(box, user)
  const fresh = await user.make('/api/v1/auth/recovery-codes')
  const old = { recovery_code: recovery_codes[0] }
  expect(refusal(await complete(box, await ticketOf(box, user), old))).toEqual([401, 'invalid_second_factor'])
  expect((await complete(box, await ticketOf(box, user), { recovery_code: fresh.recovery_codes[0] })).status).toBe(200)
  expect((await removeTotp()).status).toBe(204)
  expect((await login(box, user)).status).toBe(200)
  expect((await user.get('/api/v1/auth/second-factors')).body).toEqual({
    methods: [],
    totp_created_at: null,
    recovery_codes_left: 0,
  })
})

test('a wrong second factor is in the security log, and is mailed once an hour', async () => {
  await addTotp(box, user)
  const ticket = await ticketOf(box, user)
  for (const code of ['000000', '111111']) await complete(box, ticket, { code })
  await mail.quiet(box)
  expect((await log()).filter(({ action }: { action: string }) => action === 'second_factor.refused')).toHaveLength(2)
  expect(mail.to(user.email).filter(({ text }) => text.includes('the second factor was wrong'))).toHaveLength(1)
})

test('another app replaces the first one when it is confirmed, not before', async () => {
  const first = await addTotp(box, user)
  const { secret } = await user.make(TOTP)
  expect((await complete(box, await ticketOf(box, user), { code: codeOf(first.secret) })).status).toBe(200)
  const { recovery_codes } = await user.make(`${TOTP}/confirm`, { code: codeOf(secret) })
  await forgetCodes(box, user)
  const ticket = await ticketOf(box, user)
  expect(refusal(await complete(box, ticket, { code: codeOf(first.secret) }))).toEqual([401, 'invalid_second_factor'])
  const old = { recovery_code: first.recovery_codes[0] }
  expect(refusal(await complete(box, ticket, old))).toEqual([401, 'invalid_second_factor'])
  expect(recovery_codes).toHaveLength(10)
  expect((await complete(box, ticket, { code: codeOf(secret) })).status).toBe(200)
})

test('set-up, removal and new recovery codes need a sign-in within 10 minutes, or the password', async () => {
  await addTotp(box, user)
  await letSignInAge(box, user)
  const { body: renewed } = await box.request('POST', '/api/v1/auth/refresh', { refresh_token: user.refreshToken })
  const refreshed = user.as(renewed.access_token)
  const calls: [string, string][] = [
    ['POST', TOTP],
    ['POST', '/api/v1/auth/recovery-codes'],
    ['DELETE', TOTP],
  ]
  for (const [method, path] of calls) {
    expect(refusal(await refreshed.request(method, path))).toEqual([403, 'recent_sign_in_required'])
    const wrong = await refreshed.request(method, path, { current_password: 'not my password' })
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/current_password'])
    const { status } = await refreshed.request(method, path, { current_password: PASSWORD })
    expect(status).toBeLessThan(300)
  }
  expect((await login(box, user)).status).toBe(200)
  const { token } = await user.as((await login(box, user)).body.access_token).make('/api/v1/auth/tokens', { name: 'Script' })
  expect(refusal(await user.as(token).post(TOTP))).toEqual([403, 'session_required'])
})

test('an assertion of a passkey proves changes of the app, once for each change, and a request can be repeated with it', async () => {
  await addTotp(box, user)
  const device = await registerPasskey(box, user)
  await letSignInAge(box, user)
  const proof = async () => ({ assertion: await device.get(await user.make('/api/v1/auth/passkey/options')) })
  for (const path of [TOTP, '/api/v1/auth/recovery-codes']) {
    const given = await proof()
    const send = () => user.post(path, given, { 'Idempotency-Key': path })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true'])
    expect(again.body).toEqual(first.body)
    expect(refusal(await user.post(path, given))).toEqual([403, 'passkey_invalid'])
    const [shown] = first.body.recovery_codes ?? [first.body.secret]
    expect(await whereIs(box, shown)).toEqual([])
  }
  expect((await removeTotp(await proof())).status).toBe(204)
})

test('a stored response is not enough to see recovery codes again: it takes the proof', async () => {
  await addTotp(box, user)
  const renew = (body: object) => user.post('/api/v1/auth/recovery-codes', body, { 'Idempotency-Key': 'renew' })
  const first = await renew({})
  expect(first.status).toBe(200)
  expect((await renew({})).body).toEqual(first.body)
  await letSignInAge(box, user)
  expect(refusal(await renew({}))).toEqual([403, 'recent_sign_in_required'])
})

test('a right password is in the security log, also if the second factor never comes', async () => {
  await addTotp(box, user)
  await ticketOf(box, user)
  expect((await log())[0]).toMatchObject({
    action: 'second_factor.requested',
    detail: 'The password was right; the second factor was asked for.',
    ip_address: expect.any(String),
  })
})

test('a password reset ends sessions and leaves the second factor, an app or a passkey', async () => {
  const { secret } = await addTotp(box, user)
  const device = await registerPasskey(box, user)
  await box.request('POST', '/api/v1/auth/password-reset', { email: user.email })
  const token = await mail.token(box, user.email, 'reset-password')
  const password = 'a new password to keep'
  expect((await box.request('POST', '/api/v1/auth/password-reset/confirm', { token, password })).status).toBe(204)
  expect(refusal(await user.get(ME))).toEqual([401, 'unauthenticated'])
  const ticket = await ticketOf(box, user, password)
  expect((await complete(box, ticket, { code: codeOf(secret) })).status).toBe(200)
  const { body: options } = await box.request('POST', '/api/v1/auth/passkey/options')
  const signedIn = await box.request('POST', '/api/v1/auth/passkey', { assertion: await device.get(options) })
  expect([signedIn.status, signedIn.body.user.id]).toEqual([200, user.id])
})

test('the form for the code follows that for the password, and leads where the person wanted to go', async () => {
  const { secret, recovery_codes } = await addTotp(box, user)
  const visitor = new PageClient(box)
  const first = await visitor.post('/sign-in?next=%2Fapp%2Faccount', { email: user.email, password: PASSWORD })
  expect(first.document.querySelector('h1')?.textContent).toBe('Second factor')
  const isSignedIn = () => [...visitor.cookies.keys()].some((name) => name.endsWith('signalbox'))
  expect(isSignedIn()).toBe(false)
  const wrong = await visitor.press(first, 'Sign in', { code: '000 000' })
  expect([wrong.status, wrong.text.includes('The code is wrong')]).toEqual([401, true])
  const done = await visitor.press(wrong, 'Sign in', { code: codeOf(secret) })
  expect([done.status, done.path, isSignedIn()]).toEqual([200, '/app/account', true])
  const again = new PageClient(box)
  const page = await again.post('/sign-in', { email: user.email, password: PASSWORD })
  const [code = ''] = recovery_codes
  expect((await again.press(page, 'Sign in', { code })).path).toBe('/app')
  // The ticket is used up.
  const late = await new PageClient(box).post('/sign-in/second-factor', {
    ticket: page.document.querySelector('input[name=ticket]')?.getAttribute('value') ?? '',
    code: codeOf(secret),
  })
  expect(late.path).toBe('/sign-in')
  expect((await new PageClient(box).open('/sign-in/second-factor')).path).toBe('/sign-in')
})

test('accepting an invitation with the password of an account asks for its second factor', async () => {
  const owner = await box.user('Owner')
  const site = await box.site(owner)
  const email = `invited.${crypto.randomUUID()}@example.com`
  await owner.make(`/api/v1/organizations/${site.organization.id}/members`, { email })
  const links = () => mail.to(email).flatMap(({ text }) => /\/invitations\?token=[\w-]+/.exec(text)?.[0] ?? [])
  await box.until('the link came', async () => links().length === 1)
  const [link = ''] = links()
  const [invited] = await box.sql`
    update users set email = ${email} where id = ${user.id} returning id
  `
  expect(invited?.id).toBe(user.id)
  const { secret } = await addTotp(box, user)
  const visitor = new PageClient(box)
  const asked = await visitor.press(await visitor.open(link), 'Accept', { account: 'old', password: PASSWORD })
  expect(asked.document.querySelector('h1')?.textContent).toBe('Second factor')
  const members = `/api/v1/organizations/${site.organization.id}/members`
  expect((await owner.get(members)).body).toHaveLength(1)
  const back = await visitor.press(asked, 'Sign in', { code: codeOf(secret) })
  await visitor.press(back, 'Accept')
  expect((await owner.get(members)).body).toHaveLength(2)
})
