/** Access tokens: JWTs that are valid for 15 minutes and name a session, which is checked on every request. */
import { jwt } from '@elysiajs/jwt'
import { config } from '../../core/platform/config.ts'
import { isUuid } from '../../core/values/uuids.ts'
import { Problem } from '../problems.ts'

export const ACCESS_TOKEN_SECONDS = 900

const ISSUER = 'signalbox'
const ALGORITHM = 'HS256'

// One signer per key: the first signs, all verify. The key id is derived from the key, so that it is the same in every
// process.
const signers = config.JWT_SECRET.map((secret) => {
  const kid = new Bun.CryptoHasher('sha256').update(`kid:${secret}`).digest('hex').slice(0, 16)
  return jwt({ name: 'jwt', secret, alg: ALGORITHM, iss: ISSUER, aud: ISSUER, kid }).decorator.jwt
})
const [current] = signers

export interface Claims {
  user_id: string
  session_id: string
  /** Seconds since 1970. */
  expires: number
}

export async function issueAccessToken(user_id: string, session_id: string): Promise<string> {
  if (!current) throw new Error('JWT_SECRET holds no key')
  return current.sign({ sub: user_id, sid: session_id, exp: `${ACCESS_TOKEN_SECONDS}s` })
}

// A cache, since verification is the most expensive part of a request and clients send the same token many times.
const verified = new Map<string, Claims>()

/** Verifies the signature, algorithm, issuer, audience and expiry of a token. @throws Problem `unauthenticated` */
export async function verifyAccessToken(token: string, now: number): Promise<Claims> {
  const known = verified.get(token)
  if (known && known.expires > now) return known
  for (const signer of signers) {
    const claims = await signer.verify(token, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: ISSUER,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    })
    if (!claims) continue
    const { sub, sid, exp } = claims as { sub?: unknown; sid?: unknown; exp?: unknown }
    if (!isUuid(sub) || !isUuid(sid) || typeof exp !== 'number') continue
    const result = { user_id: sub, session_id: sid, expires: exp }
    if (verified.size >= 10_000) verified.delete(verified.keys().next().value as string)
    verified.set(token, result)
    return result
  }
  throw unauthenticated('The access token is invalid or expired. Refresh it, or sign in again.')
}

/** A 401 with the challenge required by RFC 6750. */
export const unauthorized = (code: ConstructorParameters<typeof Problem>[0], detail: string, more?: Problem['more']): Problem =>
  new Problem(code, detail, undefined, { 'WWW-Authenticate': 'Bearer' }, more)

export const unauthenticated = (detail: string): Problem => unauthorized('unauthenticated', detail)
