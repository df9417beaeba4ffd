/**
 * Access tokens of service accounts (RFC 9068). The account, and what the token was given for, are read for every request, so that
 * disabling the account or revoking its key ends the token.
 */
import { jwtVerify, SignJWT } from 'jose'
import { epochSeconds } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { isUuid } from '../../core/values/uuids.ts'
import { unauthenticated } from './access-tokens.ts'
import { isServiceScope, type ServiceScope } from './scopes.ts'

const ALGORITHM = 'HS256'
const TYPE = 'at+jwt'

/** What a token was given for: a key or a trust of the account, one of which is null. It ends with it. */
export interface Grant {
  key_id: string | null
  trust_id: string | null
}

export interface ServiceClaims extends Grant {
  account_id: string
  organization_id: string
  /** Those of the account or fewer. */
  scopes: ServiceScope[]
}

interface Verified extends ServiceClaims {
  /** Seconds since 1970. */
  expires: number
}

// One key per secret, as of the tokens of sessions: the first signs, all verify. The type tells the tokens apart.
const keys = config.JWT_SECRET.map((secret) => ({
  kid: new Bun.CryptoHasher('sha256').update(`kid:${secret}`).digest('hex').slice(0, 16),
  secret: new TextEncoder().encode(secret),
}))

/** How each token begins: the first 30 bytes of the header, which are 40 digits. */
const BEGINNING = Buffer.from(`{"alg":"${ALGORITHM}","typ":"${TYPE}",`).toString('base64url')

/** Whether a token is one of a service account, if it is valid. */
export const isServiceAccountToken = (token: string): boolean => token.startsWith(BEGINNING)

export function issueServiceAccountToken(claims: ServiceClaims, seconds: number): Promise<string> {
  const [current] = keys
  if (!current) throw new Error('JWT_SECRET holds no key')
  const { account_id, organization_id, scopes, key_id, trust_id } = claims
  const now = epochSeconds()
  return new SignJWT({
    client_id: account_id,
    scope: scopes.join(' '),
    organization_id,
    ...(key_id === null ? { trust_id } : { key_id }),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: current.kid })
    .setIssuer(config.PUBLIC_URL)
    .setAudience(config.PUBLIC_URL)
    .setSubject(account_id)
    .setJti(crypto.randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(current.secret)
}

async function verifyWith(secret: Uint8Array, token: string, now: number): Promise<Verified | null> {
  const { payload } = await jwtVerify(token, secret, {
    algorithms: [ALGORITHM],
    typ: TYPE,
    issuer: config.PUBLIC_URL,
    audience: config.PUBLIC_URL,
    requiredClaims: ['sub', 'client_id', 'jti', 'iat', 'exp', 'scope', 'organization_id'],
    currentDate: new Date(now * 1000),
  })
  const { sub, organization_id, scope, exp, key_id = null, trust_id = null } = payload
  const grant = key_id ?? trust_id
  if (!isUuid(sub) || !isUuid(organization_id) || !isUuid(grant) || typeof scope !== 'string' || exp === undefined) return null
  const scopes = scope.split(' ').filter(isServiceScope)
  const given = { key_id: key_id === null ? null : grant, trust_id: key_id === null ? grant : null }
  return { account_id: sub, organization_id, scopes, ...given, expires: exp }
}

// A cache, as of the tokens of sessions.
const verified = new Map<string, Verified>()

/** Verifies the signature, type, algorithm, issuer, audience and expiry of a token. @throws Problem `unauthenticated` */
export async function verifyServiceAccountToken(token: string): Promise<ServiceClaims> {
  const now = epochSeconds()
  const known = verified.get(token)
  if (known && known.expires > now) return known
  for (const { secret } of keys) {
    const claims = await verifyWith(secret, token, now).catch(() => null)
    if (!claims) continue
    if (verified.size >= 10_000) verified.delete(verified.keys().next().value as string)
    verified.set(token, claims)
    return claims
  }
  throw unauthenticated('The access token is invalid or expired. Sign in again.')
}
