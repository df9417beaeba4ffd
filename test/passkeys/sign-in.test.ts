/** Signing in with a passkey alone, and confirming a sensitive change with one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Authenticator, type Forgery, registerPasskey } from '../support/authenticator.ts'
import { complete, storedTicket, ticketOf } from '../support/second-factors.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const PASSKEYS = '/api/v1/auth/passkeys'
const SIGN_IN = '/api/v1/auth/passkey'

let box: Box
let ada: Actor
let device: Authenticator

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())
beforeEach(async () => {
  ada = await box.user('Ada')
  device = await registerPasskey(box, ada)
})

const optionsToSignIn = async () => (await box.request('POST', `${SIGN_IN}/options`)).body
const signIn = (assertion: object) => box.request('POST', SIGN_IN, { assertion })

async function isRefused(assertion: object): Promise<void> {
  const { status, body, headers } = await signIn(assertion)
  expect([status, body.status, body.code]).toEqual([401, 401, 'passkey_invalid'])
  expect(headers.get('www-authenticate')).toBe('Bearer')
}

test('a passkey signs in without a password', async () => {
  const options = await optionsToSignIn()
  expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [], userVerification: 'required' })
  const { status, body } = await signIn(await device.get(options))
  expect(status).toBe(200)
  expect(body.user.id).toBe(ada.id)
  const [{ last_used_at }] = (await ada.as(body.access_token).get(PASSKEYS)).body
  expect(last_used_at).not.toBeNull()
  const { items } = (await ada.get('/api/v1/users/me/security-log')).body
  expect(items[0]).toMatchObject({ action: 'sign_in.succeeded', detail: 'Signed in with the passkey Laptop.' })
})

test.each<[string, Forgery]>([
  ['no user verification', { isUnverified: true }],
  ['another RP id', { rpId: 'example.com' }],
  ['another origin', { origin: 'https://localhost.example.com' }],
  ['another type', { type: 'webauthn.create' }],
  ['a page that another site embeds', { crossOrigin: true }],
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['no user handle', { userHandle: null }],
  ['the handle of another user', { userHandle: Buffer.alloc(16).toString('base64url') }],
])('a passkey with %s does not sign in', async (_, forgery) => {
  await isRefused(await device.get(await optionsToSignIn(), forgery))
  const { items } = (await ada.get('/api/v1/users/me/security-log')).body
  expect(items[0].action).toBe('passkey.refused')
})

test('an assertion works once, also after it was refused, and within 5 minutes', async () => {
  const assertion = await device.get(await optionsToSignIn())
  expect((await signIn(assertion)).status).toBe(200)
  await isRefused(assertion)
  const options = await optionsToSignIn()
  await isRefused(await device.get(options, { isUnverified: true }))
  await isRefused(await device.get(options))
  const late = await optionsToSignIn()
  await box.sql`update passkey_challenges set expires_at = now() where purpose = 'sign_in'`
  await isRefused(await device.get(late))
})

test('two requests with one assertion sign in once', async () => {
  const assertion = await device.get(await optionsToSignIn())
  const answers = await Promise.all([signIn(assertion), signIn(assertion)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
})

/** The answer without what browsers leave out, or with what they put there instead. */
const sparse = ({ id, response }: Awaited<ReturnType<typeof device.get>>, more: object = {}) => ({
  id,
  response: { ...response, ...more },
})

test('an assertion may lack what nobody needs', async () => {
  expect((await signIn(sparse(await device.get(await optionsToSignIn())) as never)).status).toBe(200)
  const nulls = { rawId: null, type: null, authenticatorAttachment: null, clientExtensionResults: null }
  expect((await signIn({ ...(await device.get(await optionsToSignIn())), ...nulls } as never)).status).toBe(200)
  const empty = { rawId: '', authenticatorAttachment: '' }
  expect((await signIn({ ...(await device.get(await optionsToSignIn())), ...empty } as never)).status).toBe(200)
  // Without a user, nobody says whose it is.
  await isRefused(await device.get(await optionsToSignIn(), { userHandle: '' }))
})

test.each(['', null, undefined])(
  'a second factor may have the user handle %p, as Safari has of security keys',
  async (userHandle) => {
    const ticket = await ticketOf(box, ada)
    const path = '/api/v1/auth/login/second-factor'
    const { body: options } = await box.request('POST', `${path}/options`, { ticket })
    const assertion = sparse(await device.get(options), { userHandle })
    const { status, body } = await box.request('POST', path, { ticket, assertion })
    expect([status, body.user?.id]).toEqual([200, ada.id])
  },
)

test('a signature with another key is refused', async () => {
  const other = await registerPasskey(box, ada, 'Other')
  const { id, rawId } = await device.get(await optionsToSignIn())
  await isRefused({ ...(await other.get(await optionsToSignIn())), id, rawId })
})

test('a counter that falls back is refused, and the security log says so', async () => {
  const copy = device.copy()
  expect((await signIn(await device.get(await optionsToSignIn()))).status).toBe(200)
  await isRefused(await copy.get(await optionsToSignIn()))
  await isRefused(await device.get(await optionsToSignIn(), { counter: 0 }))
  const { items } = (await ada.get('/api/v1/users/me/security-log')).body
  expect(items[0]).toMatchObject({ action: 'passkey.refused' })
  expect(items[0].detail).toContain('The passkey Laptop was refused: its signature counter has fallen back')
  expect((await signIn(await device.get(await optionsToSignIn()))).status).toBe(200)
})

test('a passkey that does not count is accepted again and again', async () => {
  const synchronized = await registerPasskey(box, ada, 'Synchronized', { counts: false })
  for (const _ of [1, 2]) expect((await signIn(await synchronized.get(await optionsToSignIn()))).status).toBe(200)
})

test('a removed passkey, and that of a deleted account, do not sign in', async () => {
  const [{ id }] = (await ada.get(PASSKEYS)).body
  expect((await ada.delete(`${PASSKEYS}/${id}`)).status).toBe(204)
  await isRefused(await device.get(await optionsToSignIn()))
  const grace = await box.user('Grace')
  const hers = await registerPasskey(box, grace)
  expect((await grace.request('DELETE', '/api/v1/users/me', { current_password: PASSWORD })).status).toBe(204)
  await isRefused(await hers.get(await optionsToSignIn()))
  expect(await box.sql`select from passkeys where user_id = ${grace.id}`).toHaveLength(0)
})

test('changing passkeys needs a recent sign-in, the password or an assertion in the same session', async () => {
  await box.sql`update sessions set created_at = now() - interval '11 minutes' where user_id = ${ada.id}`
  const options = (proof: object = {}) => ada.post(`${PASSKEYS}/options`, proof)
  const sessionOptions = () => ada.make(`${SIGN_IN}/options`)
  expect((await options()).body.code).toBe('recent_sign_in_required')
  expect((await options({ current_password: PASSWORD })).status).toBe(200)
  const request = await sessionOptions()
  expect(request.allowCredentials).toHaveLength(1)
  const assertion = await device.get(request)
  expect((await options({ assertion })).status).toBe(200)
  expect([(await options({ assertion })).status, (await options({ assertion })).body.code]).toEqual([403, 'passkey_invalid'])
  // One for signing in does not do.
  expect((await options({ assertion: await device.get(await optionsToSignIn()) })).body.code).toBe('passkey_invalid')
  // Nor one of another session.
  await isRefused(await device.get(await sessionOptions()))
  const signedIn = await signIn(await device.get(await optionsToSignIn()))
  const other = ada.as(signedIn.body.access_token)
  expect((await options({ assertion: await device.get(await other.make(`${SIGN_IN}/options`)) })).body.code).toBe(
    'passkey_invalid',
  )
  const [{ id }] = (await ada.get(PASSKEYS)).body
  const remove = (proof: object) => ada.request('DELETE', `${PASSKEYS}/${id}`, proof)
  expect((await remove({})).body.code).toBe('recent_sign_in_required')
  expect((await remove({ assertion: await device.get(await sessionOptions()) })).status).toBe(204)
})

test('a passkey is the second step after the password, of its ticket alone', async () => {
  const [ticket, other] = [await ticketOf(box, ada), await ticketOf(box, ada)]
  const optionsOf = async (ticket: string) =>
    (await box.request('POST', '/api/v1/auth/login/second-factor/options', { ticket })).body
  expect((await optionsOf(ticket)).allowCredentials).toHaveLength(1)
  const refused = async (options: object, forgery?: Forgery) => {
    const { status, body } = await complete(box, ticket, { assertion: await device.get(options, forgery) })
    expect([status, body.code]).toEqual([401, 'passkey_invalid'])
  }
  await refused(await optionsOf(ticket), { isUnverified: true })
  await refused(await optionsOf(other))
  await refused(await optionsToSignIn())
  const { status, body } = await complete(box, ticket, { assertion: await device.get(await optionsOf(ticket)) })
  expect([status, body.user.id]).toEqual([200, ada.id])
  const spent = await box.request('POST', '/api/v1/auth/login/second-factor/options', { ticket })
  expect([spent.status, spent.body.code]).toEqual([401, 'invalid_ticket'])
})

test('an account that never verified its address, and is replaced, keeps no passkey', async () => {
  await box.sql`update users set email_verified = false where id = ${ada.id}`
  await box.request('POST', '/api/v1/auth/register', { email: ada.email, name: 'Ada', password: PASSWORD })
  await isRefused(await device.get(await optionsToSignIn()))
})

test('a token that is sent for options must be that of a session', async () => {
  const { status, body } = await box.request('POST', `${SIGN_IN}/options`, {}, { Authorization: 'Bearer nonsense' })
  expect([status, body.code]).toEqual([401, 'unauthenticated'])
})

test('a passkey that is removed while it completes a sign-in does not complete it', async () => {
  const ticket = await storedTicket(box, ada)
  const { body: options } = await box.request('POST', '/api/v1/auth/login/second-factor/options', { ticket })
  const assertion = await device.get(options)
  const answer = await box.sql.begin(async (tx) => {
    await tx`select from users where id = ${ada.id} for update`
    const completing = complete(box, ticket, { assertion })
    await box.until('it waits', async () => {
      const waiting = await box.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `
      return waiting.length > 0
    })
    await tx`delete from passkeys where user_id = ${ada.id}`
    return { completing }
  })
  const { status, body } = await answer.completing
  expect([status, body.code]).toEqual([401, 'passkey_invalid'])
})
