import { expect, test } from 'bun:test'
import { jwtVerify, SignJWT } from 'jose'
import { issueAccessToken, verifyAccessToken } from '../../api/credentials/access-tokens.ts'
import {
  isServiceAccountToken,
  issueServiceAccountToken,
  type ServiceClaims,
  verifyServiceAccountToken,
} from '../../api/credentials/service-account-tokens.ts'
import { newServiceAccountKey, organizationOfKey } from '../../api/credentials/token-formats.ts'
import { config } from '../../core/platform/config.ts'

const claims: ServiceClaims = {
  account_id: Bun.randomUUIDv7(),
  organization_id: Bun.randomUUIDv7(),
  scopes: ['gates:open', 'gates:read'],
  key_id: null,
  trust_id: Bun.randomUUIDv7(),
}

const secret = new TextEncoder().encode(config.JWT_SECRET[0])

/** A token with the header and the claims of an access token, some of them changed. */
function forged(header: object, changed: object, signedWith: Uint8Array = secret): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const { account_id, organization_id, trust_id } = claims
  const own = { iss: config.PUBLIC_URL, aud: config.PUBLIC_URL, sub: account_id, client_id: account_id, jti: 'a', iat: now }
  return new SignJWT({ ...own, exp: now + 60, scope: 'gates:open', organization_id, trust_id, ...changed })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .sign(signedWith)
}

const refused = async (token: string) =>
  expect(verifyServiceAccountToken(token)).rejects.toMatchObject({ code: 'unauthenticated' })

test('an access token is an RFC 9068 at+jwt', async () => {
  const token = await issueServiceAccountToken(claims, 900)
  const { payload, protectedHeader } = await jwtVerify(token, secret)
  expect(protectedHeader).toMatchObject({ alg: 'HS256', typ: 'at+jwt', kid: expect.any(String) })
  expect(payload).toMatchObject({
    iss: config.PUBLIC_URL,
    aud: config.PUBLIC_URL,
    sub: claims.account_id,
    client_id: claims.account_id,
    scope: 'gates:open gates:read',
    jti: expect.any(String),
  })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900)
  expect(isServiceAccountToken(token)).toBe(true)
  expect(await verifyServiceAccountToken(token)).toMatchObject(claims)
})

test('a token is refused with another key, type, issuer, audience or time, or without an id', async () => {
  expect(await verifyServiceAccountToken(await forged({}, {}))).toMatchObject({ scopes: ['gates:open'] })
  await refused(await forged({}, {}, new TextEncoder().encode('another secret of 32 characters!')))
  await refused(await forged({ typ: 'JWT' }, {}))
  await refused(await forged({}, { iss: 'signalbox' }))
  await refused(await forged({}, { aud: 'https://elsewhere.example' }))
  await refused(await forged({}, { exp: Math.floor(Date.now() / 1000) - 1 }))
  for (const name of ['sub', 'jti', 'iat', 'exp', 'scope', 'organization_id', 'client_id', 'trust_id']) {
    await refused(await forged({}, { [name]: undefined }))
  }
  const [, payload] = (await forged({}, {})).split('.')
  await refused(`${Buffer.from('{"alg":"none","typ":"at+jwt","kid":"a"}').toString('base64url')}.${payload}.`)
})

test('the tokens of sessions and of service accounts are not taken for each other', async () => {
  const ofSession = await issueAccessToken(Bun.randomUUIDv7(), Bun.randomUUIDv7())
  expect(isServiceAccountToken(ofSession)).toBe(false)
  await refused(ofSession)
  const ofAccount = await issueServiceAccountToken(claims, 900)
  await expect(verifyAccessToken(ofAccount, Math.floor(Date.now() / 1000))).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a key names the organization of its account, and a mistyped one none', () => {
  const key = newServiceAccountKey(claims.organization_id)
  expect(key).toMatch(/^sbx_svc_[0-9a-f]{32}[0-9A-Za-z]{36}$/)
  expect(organizationOfKey(key)).toBe(claims.organization_id)
  expect(organizationOfKey(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined()
  expect(organizationOfKey(key.replace('sbx_svc_', 'sbx_pat_'))).toBeUndefined()
  expect(organizationOfKey(`${key}A`)).toBeUndefined()
  expect(newServiceAccountKey(claims.organization_id)).not.toBe(key)
})
