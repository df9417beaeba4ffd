import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SECRETS } from '../support/server.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { decode, forge } from '../support/tokens.ts'

let box: Box
let ada: Actor
const SECRET = SECRETS.JWT_SECRET
const NEW_SECRET = 'the-second-secret-which-is-as-long-as-it-must'

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const statusWith = async (token: string) =>
  (await box.request('GET', '/api/v1/users/me', undefined, { Authorization: `Bearer ${token}` })).status

test('an access token names its user, session and key, and expires after 15 minutes', () => {
  const { header, claims } = decode(ada.token)
  expect(header).toMatchObject({ alg: 'HS256', kid: expect.any(String) })
  expect(claims).toMatchObject({ sub: ada.id, sid: expect.any(String), iss: 'signalbox', aud: 'signalbox' })
  expect(Number(claims.exp) - Number(claims.iat)).toBe(900)
  expect(JSON.stringify({ header, claims })).not.toContain(SECRET)
})

test('a token forged with the right key and claims works, so the cases below fail for their own reason', async () => {
  const { header, claims } = decode(ada.token)
  expect(await statusWith(forge(header, claims, SECRET))).toBe(200)
})

describe('A token is refused if it', () => {
  const now = Math.floor(Date.now() / 1000)
  const cases: [string, (header: Record<string, unknown>, claims: Record<string, unknown>) => string][] = [
    ['is not signed', (header, claims) => forge({ ...header, alg: 'none' }, claims, '')],
    ['names the algorithm None with a capital', (header, claims) => forge({ ...header, alg: 'None' }, claims, '')],
    ['lacks its signature', (header, claims) => forge(header, claims, SECRET).replace(/[^.]+$/, '')],
    ['is signed with another key', (header, claims) => forge(header, claims, 'another-key-that-is-long-enough-to-be-one')],
    ['is signed with no key', (header, claims) => forge(header, claims, '')],
    ['is signed with HS512', (header, claims) => forge({ ...header, alg: 'HS512' }, claims, SECRET)],
    ['is signed with HS384', (header, claims) => forge({ ...header, alg: 'HS384' }, claims, SECRET)],
    ['expired a second ago', (header, claims) => forge(header, { ...claims, exp: now - 1 }, SECRET)],
    ['never expires', (header, { exp: _, ...claims }) => forge(header, claims, SECRET)],
    ['is not valid yet', (header, claims) => forge(header, { ...claims, nbf: now + 600 }, SECRET)],
    ['is for another audience', (header, claims) => forge(header, { ...claims, aud: 'elsewhere' }, SECRET)],
    ['is for no audience', (header, { aud: _, ...claims }) => forge(header, claims, SECRET)],
    ['comes from another issuer', (header, claims) => forge(header, { ...claims, iss: 'elsewhere' }, SECRET)],
    ['names no session', (header, { sid: _, ...claims }) => forge(header, claims, SECRET)],
    ['names a session that is not an id', (header, claims) => forge(header, { ...claims, sid: "' or true --" }, SECRET)],
    ['names a user that is not an id', (header, claims) => forge(header, { ...claims, sub: 'ada' }, SECRET)],
    ['names an unknown user', (header, claims) => forge(header, { ...claims, sub: crypto.randomUUID() }, SECRET)],
    ['names an unknown session', (header, claims) => forge(header, { ...claims, sid: crypto.randomUUID() }, SECRET)],
  ]
  for (const [what, make] of cases) {
    test(what, async () => {
      const { header, claims } = decode(ada.token)
      expect(await statusWith(make(header, claims))).toBe(401)
    })
  }

  test('pairs one user with the session of another', async () => {
    const bob = await box.user('Bob')
    const { header, claims } = decode(ada.token)
    expect(await statusWith(forge(header, { ...claims, sub: bob.id }, SECRET))).toBe(401)
  })

  test('has a changed claim', async () => {
    const [header, claims = '', signature] = ada.token.split('.')
    const text = Buffer.from(claims, 'base64url').toString().replace(ada.id, crypto.randomUUID())
    expect(await statusWith(`${header}.${Buffer.from(text).toString('base64url')}.${signature}`)).toBe(401)
  })

  test('has expired since it was last used', async () => {
    const { header, claims } = decode(ada.token)
    const exp = Math.floor(Date.now() / 1000) + 2
    const short = forge(header, { ...claims, exp }, SECRET)
    expect(await statusWith(short)).toBe(200)
    await box.until('it expires', async () => Date.now() / 1000 > exp)
    expect(await statusWith(short)).toBe(401)
  })

  test('belongs to a deleted user', async () => {
    const gone = await box.user('Gone')
    expect((await gone.get('/api/v1/users/me')).status).toBe(200)
    await box.sql`delete from users where id = ${gone.id}`
    expect((await gone.get('/api/v1/users/me')).status).toBe(401)
  })
})

test('signing keys rotate: listed keys verify, the first one signs, and a removed one is refused', async () => {
  const before = await box.user('Before')
  const restart = async (secrets: string) => {
    await box.end(box.api, 'SIGTERM')
    box.environment.JWT_SECRET = secrets
    await box.startApi()
  }
  await restart(`${NEW_SECRET},${SECRET}`)
  expect(await statusWith(before.token)).toBe(200)
  const after = await box.user('After')
  const { header, claims } = decode(after.token)
  expect(forge(header, claims, NEW_SECRET)).toBe(after.token)
  expect(header.kid).not.toBe(decode(before.token).header.kid)

  await restart(NEW_SECRET)
  expect(await statusWith(before.token)).toBe(401)
  expect(await statusWith(after.token)).toBe(200)
  await restart(SECRET)
})
