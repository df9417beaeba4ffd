/** Access tokens: JWTs that live 15 minutes and name a session, which is asked for on every request. */
import { jwt } from '@elysiajs/jwt'
import { config } from '../../core/platform/config.ts'
import { Problem } from '../problems.ts'

/** Seconds that an access token lives. */
export const ACCESS_TOKEN_SECONDS = 900

const ISSUER = 'signalbox'
const ALGORITHM = 'HS256'

// One signer a key: the first signs, all verify. A key's id is made from the key, so that every process
// finds the same one, and a rotation needs no table.
const signers = config.JWT_SECRET.map((secret) => {
  const kid = new Bun.CryptoHasher('sha256').update(`kid:${secret}`).digest('hex').slice(0, 16)
  return jwt({ name: 'jwt', secret, alg: ALGORITHM, iss: ISSUER, aud: ISSUER, kid }).decorator.jwt
})
const [current] = signers

/** What a token says. */
export interface Claims {
  user_id: string
  session_id: string
  /** Seconds since 1970. */
  expires: number
}

/** Makes a token for a session. */
export async function issueAccessToken(user_id: string, session_id: string): Promise<string> {
  if (!current) throw new Error('JWT_SECRET holds no key')
  return current.sign({ sub: user_id, sid: session_id, exp: `${ACCESS_TOKEN_SECONDS}s` })
}

const isUuid = (claim: unknown): claim is string =>
  typeof claim === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(claim)

// Verifying costs more than all else in a request, and clients send one token many times.
const verified = new Map<string, Claims>()

/**
 * Checks signature, algorithm, issuer, audience and time.
 *
 * @throws Problem `unauthenticated`
 */
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
  throw unauthenticated('The access token is malformed, expired, or not ours. Sign in again, or refresh it.')
}

/** A 401 with the challenge that RFC 6750 asks for. */
export const unauthenticated = (detail: string): Problem =>
  new Problem('unauthenticated', detail, undefined, { 'WWW-Authenticate': 'Bearer' })
