import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, sign } from 'node:crypto'
import { exportSPKI, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { Issuer, type Key, makeKey, now } from './issuer.ts'
import { Machines } from './machine.ts'

let machines: Machines
let issuer: Issuer
let stranger: Issuer
let account: string
let claims: Record<string, unknown>
let rsa: Key
let ec: Key
let ed: Key

beforeAll(async () => {
  machines = await Machines.open()
  ;[issuer, stranger] = [new Issuer(), new Issuer()]
  const made = await Promise.all([
    makeKey('RS256', 'one'),
    makeKey('RS256', 'two'),
    makeKey('ES256', 'ec'),
    makeKey('EdDSA', 'ed'),
  ])
  rsa = made[0]
  ec = made[2]
  ed = made[3]
  issuer.keys = made
  stranger.keys = [await makeKey('RS256', 'one')]
  account = await machines.account([{ issuer: issuer.url, claims: { repository_id: ['74', '75'], ref: ['refs/heads/main'] } }])
  claims = { aud: machines.audience, sub: 'repo:acme/shop', repository_id: '74', ref: 'refs/heads/main' }
})
afterAll(async () => {
  await machines.box.close()
  await Promise.all([issuer.stop(), stranger.stop()])
})

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An assertion whose parts are changed after it was signed. */
const tampered = async (change: (parts: string[]) => void): Promise<string> => {
  const parts = (await issuer.sign(claims)).split('.')
  change(parts)
  return parts.join('.')
}

const asHmac = async (secret: string): Promise<string> =>
  new SignJWT({ ...claims, iss: issuer.url, iat: now(), exp: now() + 300 })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(new TextEncoder().encode(secret))

const publicKey = async (): Promise<string> => exportSPKI((await importJWK({ ...rsa.jwk, ext: true }, 'RS256')) as never)

type Case = [name: string, make: () => Promise<string> | string, reason: RegExp]

const FORGED: Case[] = [
  ['none', () => new UnsecuredJWT({ ...claims, iss: issuer.url, iat: now(), exp: now() + 300 }).encode(), /algorithm “none”/],
  ['None, in other case', () => tampered((parts) => (parts[0] = base64({ alg: 'None', kid: 'one' }))), /algorithm “None”/],
  ['HS256 with the public key', async () => asHmac(await publicKey()), /algorithm “HS256”/],
  ['HS256 with the JWK as text', async () => asHmac(JSON.stringify(rsa.jwk)), /algorithm “HS256”/],
  [
    'another algorithm of the same key',
    () => tampered((parts) => (parts[0] = base64({ alg: 'PS256', kid: 'one' }))),
    /no key of the id/,
  ],
  ['no signature', () => tampered((parts) => (parts[2] = '')), /signature/],
  [
    'a changed claim',
    () => tampered((parts) => (parts[1] = base64({ ...claims, iss: issuer.url, iat: now(), exp: now() + 3 }))),
    /signature/,
  ],
  [
    'jku of a stranger',
    () => stranger.sign({ ...claims, iss: issuer.url }, stranger.keys[0], { jku: `${stranger.url}/jwks` }),
    /signature/,
  ],
  [
    'x5u of a stranger',
    () => stranger.sign({ ...claims, iss: issuer.url }, stranger.keys[0], { x5u: `${stranger.url}/jwks` }),
    /signature/,
  ],
  [
    'an embedded jwk',
    () => stranger.sign({ ...claims, iss: issuer.url }, stranger.keys[0], { jwk: stranger.keys[0]?.jwk }),
    /signature/,
  ],
  ['the kid of another key', () => issuer.sign(claims, rsa, { kid: 'two' }), /signature/],
  ['an unknown kid', () => issuer.sign(claims, rsa, { kid: 'three' }), /no key of the id/],
  ['a kid that is no text', () => tampered((parts) => (parts[0] = base64({ alg: 'RS256', kid: 1 }))), /id of the key/],
  ['no kid among several keys', () => tampered((parts) => (parts[0] = base64({ alg: 'RS256' }))), /which of the keys/],
  ['the type of access tokens', () => issuer.sign(claims, rsa, { typ: 'at+jwt' }), /type of the token, “at\+jwt”/],
  ['the type of logout tokens', () => issuer.sign(claims, rsa, { typ: 'logout+jwt' }), /type of the token/],
  [
    'an unknown critical header',
    () => tampered((parts) => (parts[0] = base64({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 }))),
    /signature/,
  ],
  ['a look-alike issuer', () => stranger.sign({ ...claims, iss: `${issuer.url}.evil.example` }), /No trust names the issuer/],
  ['the issuer with a slash', () => issuer.sign({ ...claims, iss: `${issuer.url}/` }), /No trust names the issuer/],
  ['the issuer in a list', () => issuer.sign({ ...claims, iss: [issuer.url] as never }), /No trust names the issuer/],
  ['the issuer in other case', () => issuer.sign({ ...claims, iss: issuer.url.toUpperCase() }), /No trust names the issuer/],
  ['no issuer', () => issuer.sign({ ...claims, iss: undefined }), /No trust names the issuer/],
  ['another audience', () => issuer.sign({ ...claims, aud: 'https://other.example' }), /audience is “https:\/\/other\.example”/],
  ['strangers as audience', () => issuer.sign({ ...claims, aud: ['a', 'b', 'c', 'd'] }), /audience is “a”, “b”, “c”, not/],
  ['an audience in a nested list', () => issuer.sign({ ...claims, aud: [[machines.audience]] as never }), /audience is missing/],
  ['no audience', () => issuer.sign({ ...claims, aud: undefined }), /audience is missing/],
  ['a claim as a number', () => issuer.sign({ ...claims, repository_id: 74 }), /“repository_id” is a number; only text matches/],
  ['a claim as a list', () => issuer.sign({ ...claims, repository_id: ['74'] }), /“repository_id” is a list/],
  ['a claim as an object', () => issuer.sign({ ...claims, repository_id: { toString: '74' } }), /“repository_id” is an object/],
  ['a claim as true', () => issuer.sign({ ...claims, repository_id: true }), /“repository_id” is a boolean/],
  ['a claim as null', () => issuer.sign({ ...claims, repository_id: null }), /“repository_id” is null/],
  [
    'a claim in other case',
    () => issuer.sign({ ...claims, ref: 'refs/heads/MAIN' }),
    /“ref” is “refs\/heads\/MAIN”, which the trust does not list/,
  ],
  ['a claim with a space', () => issuer.sign({ ...claims, ref: 'refs/heads/main ' }), /“ref” is/],
  [
    'the name of a claim in other case',
    () => issuer.sign({ ...claims, ref: undefined, REF: 'refs/heads/main' }),
    /no claim “ref”/,
  ],
  [
    'a renamed repository with another id',
    () => issuer.sign({ ...claims, repository: 'acme/shop', repository_id: '99' }),
    /“repository_id” is “99”/,
  ],
  [
    'a claim of the prototype',
    () => issuer.sign({ ...claims, ref: undefined, ['__proto__']: { ref: 'refs/heads/main' } }),
    /no claim “ref”/,
  ],
  ['no expiry', () => issuer.sign({ ...claims, exp: undefined }), /no claim exp/],
  ['no time of issue', () => issuer.sign({ ...claims, iat: undefined }), /no claim iat/],
  ['an expiry that is text', () => issuer.sign({ ...claims, exp: String(now() + 300) as never }), /claim exp/],
  ['an expiry more than 60 s ago', () => issuer.sign({ ...claims, iat: now() - 300, exp: now() - 62 }), /has expired/],
  ['an issue more than 60 s ahead', () => issuer.sign({ ...claims, iat: now() + 120, exp: now() + 300 }), /issued in the future/],
  ['a beginning more than 60 s ahead', () => issuer.sign({ ...claims, nbf: now() + 120 }), /not valid yet/],
  ['an issue more than 24 hours ago', () => issuer.sign({ ...claims, iat: now() - 86_520 }), /older than 24 hours/],
  ['more than 16 KiB', () => issuer.sign({ ...claims, padding: 'x'.repeat(16_384) }), /longer than 16384 bytes/],
  ['no token', () => 'nothing', /not a JSON Web Token/],
  ['a token of other parts', () => 'a.b.c', /not a JSON Web Token/],
  ['a list as claims', () => tampered((parts) => (parts[1] = base64([]))), /not a JSON Web Token/],
  ['an encrypted token', () => 'a.b.c.d.e', /not a JSON Web Token/],
]

describe('An assertion is refused, with the same answer and a reason in the audit log, if it has', () => {
  test.each(FORGED)('%s', async (_, make, reason) => {
    // The audit log takes ten entries of a reason and account a minute.
    await machines.box.sql`delete from recent_uses`
    const { status, headers, body } = await machines.signIn(account, await make())
    expect([status, body]).toEqual([
      400,
      {
        error: 'invalid_grant',
        error_description: 'The assertion was refused. Admins of the organization see why in its audit log.',
      },
    ])
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await machines.refusals(account))[0]).toMatch(reason)
    expect(stranger.asked).toEqual({})
  })
})

const ACCEPTED: [name: string, make: () => Promise<string>][] = [
  ['RS256', () => issuer.sign(claims, rsa)],
  ['ES256', () => issuer.sign(claims, ec)],
  ['EdDSA', () => issuer.sign(claims, ed)],
  ['the type JWT', () => issuer.sign(claims, rsa, { typ: 'JWT' })],
  ['the audience among strangers', () => issuer.sign({ ...claims, aud: ['https://other.example', machines.audience] })],
  ['the audience with a slash at its end', () => issuer.sign({ ...claims, aud: `${machines.audience}/` })],
  ['another listed value', () => issuer.sign({ ...claims, repository_id: '75' })],
  ['a clock that is 30 s ahead', () => issuer.sign({ ...claims, iat: now() + 30, nbf: now() + 30 })],
  ['an expiry 30 s ago', () => issuer.sign({ ...claims, iat: now() - 300, exp: now() - 30 })],
  ['a header of a stranger that is not used', () => issuer.sign(claims, rsa, { jku: `${stranger.url}/jwks`, x5u: stranger.url })],
  ['no jti', () => issuer.sign({ ...claims, jti: undefined })],
]

describe('An assertion is accepted with', () => {
  test.each(ACCEPTED)('%s', async (_, make) => {
    const { status, body } = await machines.signIn(account, await make())
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 900, scope: 'work:read gates:read' },
    ])
    expect(stranger.asked).toEqual({})
  })

  test('PS256', async () => {
    const key = await makeKey('PS256', 'ps')
    const own = new Issuer()
    own.keys = [key]
    const id = await machines.account([{ issuer: own.url, claims: { sub: ['job'] } }])
    const assertion = await own.sign({ aud: machines.audience, sub: 'job' })
    expect((await machines.signIn(id, assertion)).status).toBe(200)
    await own.stop()
  })
})

describe('An assertion is good for one sign-in', () => {
  const outcomes = async (...answers: Promise<{ status: number; body: { error?: string } }>[]) =>
    (await Promise.all(answers)).map(({ status, body }) => body.error ?? status).sort()

  test.each([
    ['one after the other', false],
    ['two at once', true],
  ])('with a jti: %s', async (_, atOnce) => {
    await machines.box.sql`delete from recent_uses`
    const assertion = await issuer.sign(claims)
    const send = () => machines.signIn(account, assertion)
    const first = atOnce ? [] : await outcomes(send())
    const rest = await outcomes(...(atOnce ? [send(), send()] : [send()]))
    expect([...first, ...rest].sort()).toEqual([200, 'invalid_grant'])
    expect((await machines.refusals(account))[0]).toBe('The assertion was used before: each is good for one sign-in.')
  })

  test('with the same jti in another assertion of the issuer, for another account of another organization', async () => {
    const foreign = await machines.box.site(machines.ada, 'Elsewhere')
    const elsewhere = await machines.account(
      [{ issuer: issuer.url, claims: { sub: ['repo:acme/shop'] } }],
      ['work:read'],
      foreign,
    )
    const jti = crypto.randomUUID()
    expect((await machines.signIn(account, await issuer.sign({ ...claims, jti }))).status).toBe(200)
    expect((await machines.signIn(elsewhere, await issuer.sign({ ...claims, jti, more: 1 }))).body.error).toBe('invalid_grant')
  })

  test('but another issuer can have the same jti', async () => {
    const second = new Issuer()
    second.keys = [await makeKey('RS256', 'one')]
    const id = await machines.account([{ issuer: second.url, claims: { sub: ['job'] } }])
    const jti = crypto.randomUUID()
    expect((await machines.signIn(account, await issuer.sign({ ...claims, jti }))).status).toBe(200)
    expect((await machines.signIn(id, await second.sign({ aud: machines.audience, sub: 'job', jti }))).status).toBe(200)
    await second.stop()
  })

  test('without a jti: also with its signature written in another way', async () => {
    const assertion = await issuer.sign({ ...claims, jti: undefined }, ec)
    const [header, payload, signature = ''] = assertion.split('.')
    // (r, s) and (r, n - s) are both signatures of ECDSA.
    const bytes = Buffer.from(signature, 'base64url')
    const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const s = n - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
    expect((await machines.signIn(account, assertion)).status).toBe(200)
    expect((await machines.signIn(account, assertion)).body.error).toBe('invalid_grant')
    expect((await machines.signIn(account, `${header}.${payload}.${twin.toString('base64url')}`)).body.error).toBe(
      'invalid_grant',
    )
  })

  test('and is not used up by a refusal', async () => {
    const assertion = await issuer.sign(claims)
    expect((await machines.signIn(account, assertion, { scope: 'gates:open' })).body.error).toBe('invalid_scope')
    expect((await machines.signIn(account, assertion)).status).toBe(200)
  })
})

/** A key with which jose would not sign. */
function weakKey(modulusLength: number) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' } as JWK
  const signWith = (payload: object): string => {
    const signed = `${base64({ alg: 'RS256', kid: 'one' })}.${base64(payload)}`
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  }
  return { jwk, signWith }
}

describe('An RSA key', () => {
  const refusal = async (jwk: JWK, make: (own: Issuer) => Promise<string> | string): Promise<string | undefined> => {
    const own = new Issuer()
    own.keys = [{ ...rsa, kid: 'one', jwk }]
    const id = await machines.account([{ issuer: own.url, claims: { sub: ['job'] } }])
    expect((await machines.signIn(id, await make(own))).body.error).toBe('invalid_grant')
    await own.stop()
    return (await machines.refusals(id))[0]
  }

  test.each([1024, 2040])('of %d bits signs nobody in', async (bits) => {
    const { jwk, signWith } = weakKey(bits)
    const make = ({ url }: Issuer) =>
      signWith({ iss: url, aud: machines.audience, sub: 'job', iat: now(), exp: now() + 300, jti: crypto.randomUUID() })
    expect(await refusal(jwk, make)).toMatch(/no key of the id/)
  })

  test('for encryption signs nobody in', async () => {
    const make = (own: Issuer) => own.sign({ aud: machines.audience, sub: 'job' })
    expect(await refusal({ ...rsa.jwk, use: 'enc' }, make)).toMatch(/no key of the id/)
  })

  test('of more than 4,096 bits signs nobody in', async () => {
    const make = (own: Issuer) => own.sign({ aud: machines.audience, sub: 'job' })
    expect(await refusal({ ...rsa.jwk, n: 'x'.repeat(1_400) }, make)).toMatch(/no key of the id/)
  })
})
