/** The passkeys of a user: registering, listing and removing them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Authenticator, type Forgery, originOf, registerPasskey } from '../support/authenticator.ts'
import { encodeCbor } from '../support/cbor.ts'
import { letSignInAge, ticketOf } from '../support/second-factors.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const PASSKEYS = '/api/v1/auth/passkeys'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const optionsFor = (actor: Actor) => actor.make(`${PASSKEYS}/options`)

/** Answers creation options. */
async function register(actor: Actor, forgery: Forgery = {}, authenticator?: Authenticator) {
  const device = authenticator ?? (await Authenticator.make(originOf(box)))
  return actor.post(PASSKEYS, { name: 'Phone', credential: await device.create(await optionsFor(actor), forgery) })
}

const logOf = async (actor: Actor): Promise<string[]> =>
  (await actor.get('/api/v1/users/me/security-log')).body.items.map(({ action }: { action: string }) => action)

test('a passkey is registered, listed and removed, and the security log says so', async () => {
  const user = await box.user('Grace')
  const options = await optionsFor(user)
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Signalbox' },
    user: { name: user.email, displayName: 'Grace' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  })
  const device = await Authenticator.make(originOf(box))
  const { status, body, headers } = await user.post(PASSKEYS, { name: 'Laptop', credential: await device.create(options) })
  expect(status).toBe(201)
  expect(body).toEqual({ id: body.id, name: 'Laptop', created_at: body.created_at, last_used_at: null, backed_up: true })
  expect(headers.get('location')).toBe(`${PASSKEYS}/${body.id}`)
  expect((await user.get(PASSKEYS)).body).toEqual([body])
  expect((await optionsFor(user)).excludeCredentials).toEqual([
    { id: Buffer.from(device.credential_id).toString('base64url'), type: 'public-key', transports: ['internal'] },
  ])
  expect((await user.delete(`${PASSKEYS}/${body.id}`)).status).toBe(204)
  expect((await user.get(PASSKEYS)).body).toEqual([])
  expect((await user.delete(`${PASSKEYS}/${body.id}`)).body.code).toBe('not_found')
  expect(await logOf(user)).toEqual(['passkey.removed', 'passkey.added'])
})

test.each<[string, Forgery]>([
  ['no user verification', { isUnverified: true }],
  ['another RP id', { rpId: 'example.com' }],
  ['another origin', { origin: 'https://example.com' }],
  ['another type', { type: 'webauthn.get' }],
  ['a page that another site embeds', { crossOrigin: true }],
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
])('a new passkey with %s is refused', async (_, forgery) => {
  const { status, body } = await register(ada, forgery)
  expect([status, body.code]).toEqual([403, 'passkey_invalid'])
  expect((await ada.get(PASSKEYS)).body).toEqual([])
})

test.each<[string, object, object]>([
  ['no more than it needs', { rawId: undefined, type: undefined, authenticatorAttachment: undefined }, { transports: undefined }],
  [
    'null for what it needs not',
    { rawId: null, type: null, authenticatorAttachment: null, clientExtensionResults: null },
    { transports: null, publicKey: null, publicKeyAlgorithm: null, authenticatorData: null },
  ],
  ['empty texts', { rawId: '', authenticatorAttachment: '' }, { transports: [], publicKey: '', authenticatorData: '' }],
])('a new passkey may have %s', async (_, more, response) => {
  const user = await box.user('Sparse')
  const device = await Authenticator.make(originOf(box))
  const made = await device.create(await optionsFor(user))
  const credential = { ...made, ...more, response: { ...made.response, ...response } }
  const { status, body } = await user.post(PASSKEYS, { name: 'Phone', credential })
  expect([status, body.name]).toEqual([201, 'Phone'])
  expect((await optionsFor(user)).excludeCredentials).toMatchObject([{ id: made.id, type: 'public-key' }])
})

test('a new passkey with a member of another type is refused by its name, and its challenge can still be answered', async () => {
  const user = await box.user('Mistyped')
  const device = await Authenticator.make(originOf(box))
  const made = await device.create(await optionsFor(user))
  const members = {
    id: '',
    rawId: 7,
    type: 'password',
    authenticatorAttachment: [],
    clientExtensionResults: 'none',
    'response/clientDataJSON': null,
    'response/attestationObject': '',
    'response/transports': 'usb',
    'response/publicKey': {},
    'response/publicKeyAlgorithm': '-7',
    'response/authenticatorData': 'not base64url',
  }
  for (const [name, value] of Object.entries(members)) {
    const [member = '', inner] = name.split('/')
    const credential = { ...made, [member]: inner ? { ...made.response, [inner]: value } : value }
    const { status, body } = await user.post(PASSKEYS, { name: 'Phone', credential })
    expect([name, status]).toEqual([name, 422])
    expect(body.errors[0].pointer).toStartWith(`/credential/${name}`)
  }
  expect((await user.post(PASSKEYS, { name: 'Phone', credential: made })).status).toBe(201)
})

test('a challenge is used up by the first answer, also by a refused one', async () => {
  const device = await Authenticator.make(originOf(box))
  const options = await optionsFor(ada)
  const refused = await ada.post(PASSKEYS, { name: 'Phone', credential: await device.create(options, { isUnverified: true }) })
  expect(refused.body.code).toBe('passkey_invalid')
  const repeated = await ada.post(PASSKEYS, { name: 'Phone', credential: await device.create(options) })
  expect(repeated.body.code).toBe('passkey_invalid')
})

test('a challenge belongs to its session, its user and its purpose, and expires', async () => {
  const grace = await box.user('Grace')
  const { body: session } = await box.request('POST', '/api/v1/auth/login', { email: ada.email, password: PASSWORD })
  const device = await Authenticator.make(originOf(box))
  const answered = async (options: object, by: Actor) =>
    (await by.post(PASSKEYS, { name: 'Phone', credential: await device.create(options) })).body.code
  expect(await answered(await optionsFor(ada), grace)).toBe('passkey_invalid')
  expect(await answered(await optionsFor(ada), ada.as(session.access_token))).toBe('passkey_invalid')
  const options = await optionsFor(ada)
  const { challenge } = await ada.make('/api/v1/auth/passkey/options')
  expect(await answered({ ...options, challenge }, ada)).toBe('passkey_invalid')
  await box.sql`update passkey_challenges set expires_at = now() where purpose = 'registration'`
  expect(await answered(options, ada)).toBe('passkey_invalid')
})

test('a credential is registered once, whoever tries', async () => {
  const [user, other] = [await box.user('Grace'), await box.user('Mallory')]
  const device = await registerPasskey(box, user)
  for (const actor of [user, other]) {
    const { status, body } = await register(actor, {}, device)
    expect([status, body.code]).toEqual([409, 'already_exists'])
  }
  expect((await other.get(PASSKEYS)).body).toEqual([])
})

test('a user has at most 10 passkeys', async () => {
  const user = await box.user('Grace')
  await Promise.all(Array.from({ length: 10 }, () => registerPasskey(box, user)))
  const { status, body } = await register(user)
  expect([status, body.code]).toEqual([409, 'passkey_limit_reached'])
})

test('50 open challenges are at most 10, and the newest can be answered', async () => {
  const user = await box.user('Grace')
  for (let count = 0; count < 50; count++) await optionsFor(user)
  const [{ count }] = await box.sql<[{ count: number }]>`select count(*) from passkey_challenges where holder = ${user.id}`
  expect(count).toBe(10)
  expect((await register(user)).status).toBe(201)
})

test('a repeated request with an idempotency key gets the same answer', async () => {
  const user = await box.user('Grace')
  const device = await Authenticator.make(originOf(box))
  const input = { name: 'Phone', credential: await device.create(await optionsFor(user)) }
  const [first, second] = [
    await user.post(PASSKEYS, input, { 'Idempotency-Key': 'once' }),
    await user.post(PASSKEYS, input, { 'Idempotency-Key': 'once' }),
  ]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
})

test('what an attestation says is not looked at', async () => {
  const user = await box.user('Grace')
  const device = await Authenticator.make(originOf(box))
  const certificate = new Map([['x5c', [new Uint8Array(64)]]])
  const attestation = { fmt: 'packed', attStmt: certificate as Map<never, never> }
  const credential = await device.create(await optionsFor(user), {}, attestation)
  expect((await user.post(PASSKEYS, { name: 'Key', credential })).status).toBe(201)
})

test('bytes that are no credential are refused', async () => {
  const device = await Authenticator.make(originOf(box))
  const garbage = [
    encodeCbor('text'),
    encodeCbor(new Map([['fmt', 'none']])),
    // Lists in lists.
    new Uint8Array(12_000).fill(0x81),
    new Uint8Array(64).fill(0xff),
  ]
  for (const bytes of garbage) {
    const { response, ...credential } = await device.create(await optionsFor(ada))
    const forged = { ...response, attestationObject: Buffer.from(bytes).toString('base64url') }
    const { body } = await ada.post(PASSKEYS, { name: 'Key', credential: { ...credential, response: forged } })
    expect(body.code).toBe('passkey_invalid')
  }
})

test('a personal token lists passkeys, and changes none', async () => {
  const { token } = await ada.make('/api/v1/auth/tokens', { name: 'Script' })
  const script = ada.as(token)
  expect((await script.get(PASSKEYS)).status).toBe(200)
  expect((await script.post(`${PASSKEYS}/options`)).body.code).toBe('session_required')
})

test('adding a passkey needs a recent sign-in, or another proof, whenever its options were made', async () => {
  const user = await box.user('Grace')
  const device = await Authenticator.make(originOf(box))
  const credential = await device.create(await optionsFor(user))
  await letSignInAge(box, user)
  const input = { name: 'Phone', credential }
  expect((await user.post(PASSKEYS, input)).body.code).toBe('recent_sign_in_required')
  expect((await user.post(PASSKEYS, { ...input, current_password: PASSWORD })).status).toBe(201)
})

test('challenges and tickets last five minutes', async () => {
  const user = await box.user('Grace')
  await registerPasskey(box, user)
  await optionsFor(user)
  await ticketOf(box, user)
  const lifetimes = await box.sql<{ seconds: number }[]>`
    select extract(epoch from expires_at - now())::integer as seconds from passkey_challenges where holder = ${user.id}
    union all
    select extract(epoch from expires_at - now())::integer from sign_in_tickets where user_id = ${user.id}
  `
  expect(lifetimes).toHaveLength(2)
  for (const { seconds } of lifetimes) {
    expect(seconds).toBeGreaterThan(200)
    expect(seconds).toBeLessThanOrEqual(300)
  }
})
