/** Verifies ID tokens (OpenID Connect Core 1.0, section 3.1.3.7): which person the provider vouches for, to this client, for this sign-on. */
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Deadline } from '../../core/outbound/deadline.ts'
import { epochSeconds } from '../../core/platform/clock.ts'
import { ALGORITHMS, isAssertionType, quoted, reasonOf, TOLERANCE_SECONDS } from '../oauth/assertions.ts'
import { issuerKeys } from '../oauth/issuer-keys.ts'
import type { Connection } from './connections.ts'
import { RefusedSignOn } from './refusals.ts'

const MAX_BYTES = 16_384
const MAX_AGE_SECONDS = 600

function headerOf(token: string) {
  try {
    return decodeProtectedHeader(token)
  } catch {
    throw new RefusedSignOn('The ID token is not a JSON Web Token.')
  }
}

/** Text that can be stored as it is. */
const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub.length >= 1 && sub.length <= 255 && sub.isWellFormed() && !sub.includes('\0')

/**
 * The claims of a verified ID token. Its signature is always checked, with a key of the issuer alone.
 *
 * @throws RefusedSignOn; IssuerProblem if the keys of the issuer are not available
 */
export async function verifyIdToken(
  token: string,
  { id, organization_id, issuer, client_id }: Connection,
  nonce: string,
  deadline: Deadline,
): Promise<JWTPayload & { sub: string }> {
  if (token.length > MAX_BYTES) throw new RefusedSignOn(`The ID token is longer than ${MAX_BYTES} bytes.`)
  const { alg, typ, kid } = headerOf(token)
  if (!ALGORITHMS.includes(String(alg))) throw new RefusedSignOn(`The algorithm ${quoted(String(alg))} is not accepted.`)
  if (!isAssertionType(typ)) throw new RefusedSignOn(`The type of the token, ${quoted(String(typ))}, is not that of an ID token.`)
  if (kid !== undefined && typeof kid !== 'string') throw new RefusedSignOn('The id of the key is not text.')
  const keys = await deadline.wait(issuerKeys.keysOf(issuer, organization_id ?? id, kid))
  const claims = await verified()
  if (claims.nonce !== nonce) throw new RefusedSignOn('The ID token is for another sign-in: its nonce differs.')
  const { azp, aud, sub } = claims
  if ((azp !== undefined || (Array.isArray(aud) && aud.length > 1)) && azp !== client_id)
    throw new RefusedSignOn('The ID token is for another client: its azp differs.')
  issuerKeys.vouched(issuer, organization_id ?? id)
  if (!isSubject(sub)) throw new RefusedSignOn('The sub of the ID token is not text of 1 to 255 characters.')
  return { ...claims, sub }

  async function verified(): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer,
        audience: client_id,
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance: TOLERANCE_SECONDS,
        maxTokenAge: MAX_AGE_SECONDS,
        currentDate: new Date(epochSeconds() * 1000),
      })
      return payload
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
      throw new RefusedSignOn(reasonOf(error, 'The ID token', '10 minutes'))
    }
  }
}
