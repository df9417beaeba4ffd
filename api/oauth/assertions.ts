/**
 * Verifies assertions: tokens with which an issuer, such as a CI system, vouches for a job. Follows RFC 8725: algorithms and types are
 * ours to choose, and keys come from the issuer alone, whatever the header says.
 */
import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose'
import { epochSeconds } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { printable } from '../../core/values/plain-text.ts'
import { IssuerProblem } from './issuer-documents.ts'
import { issuerKeys } from './issuer-keys.ts'

export const MAX_ASSERTION_BYTES = 16_384

/** Of tokens of issuers. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']

export const TOLERANCE_SECONDS = 60
const MAX_AGE_SECONDS = 86_400

/** Why an assertion gives nothing: a sentence for the audit log. The caller does not get it. */
export class RefusedAssertion extends Error {
  /** @param kind of the reason: so many of one kind are recorded, whatever else is refused */
  constructor(
    message: string,
    readonly kind = 'malformed',
  ) {
    super(message)
  }
}

export interface TrustRule {
  issuer: string
  audience: string
  claims: Record<string, string[]>
}

/** Foreign text, as an audit entry quotes it. */
export const quoted = (text: string): string => {
  const line = printable(text).replaceAll(/\s+/g, ' ')
  return line.length > 100 ? `“${line.slice(0, 100)}…”` : `“${line}”`
}

/** The header and the claims, before anything is verified. @throws RefusedAssertion */
function decoded(assertion: string) {
  try {
    return { header: decodeProtectedHeader(assertion), claims: decodeJwt(assertion) }
  } catch {
    throw new RefusedAssertion('The assertion is not a JSON Web Token.')
  }
}

/** An assertion is no other kind of token: those have another type. */
export const isAssertionType = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && /^(application\/)?jwt$/i.test(typ))

/** Why a token was not verified, as a sentence. @param what `The assertion`, for example @param age how old it may be */
export function reasonOf(error: unknown, what = 'The assertion', age = '24 hours'): string {
  if (error instanceof errors.JWTExpired) return error.claim === 'exp' ? `${what} has expired.` : `${what} is older than ${age}.`
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error
    if (reason === 'missing') return `${what} has no claim ${claim}.`
    if (claim === 'iat' && reason === 'check_failed') return `${what} was issued in the future.`
    if (claim === 'nbf' && reason === 'check_failed') return `${what} is not valid yet.`
    return `The claim ${claim} is not valid.`
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'The issuer has no key of the id and the algorithm that the token names.'
  if (error instanceof errors.JWKSMultipleMatchingKeys) return `${what} does not say which of the keys of the issuer signed it.`
  return `${what} has no valid signature of its issuer.`
}

/** @throws RefusedAssertion */
async function verified(assertion: string, issuer: string, keys: LocalJWKSet): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(assertion, keys, {
      algorithms: ALGORITHMS,
      issuer,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: TOLERANCE_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      currentDate: new Date(epochSeconds() * 1000),
    })
    return payload
  } catch (error) {
    // The signature is checked first: the claims are those of the issuer.
    const isSigned = error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed
    throw new RefusedAssertion(reasonOf(error), isSigned ? 'time' : 'signature')
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

interface Mismatch {
  name: string
  detail: string
}

/** Why a claim is none of the values that a trust lists; undefined if it is one. Values are compared as text, exactly. */
function claimMismatch(name: string, values: string[], claims: JWTPayload): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  if (value === undefined) return `The assertion has no claim ${quoted(name)}.`
  if (typeof value !== 'string') return `The claim ${quoted(name)} is ${kindOf(value)}; only text matches.`
  return values.includes(value) ? undefined : `The claim ${quoted(name)} is ${quoted(value)}, which the trust does not list.`
}

/** Whether an audience is the one of a trust. Who copies the URL of this service may copy a slash at its end. */
const isAudience = (audience: string, given: unknown): boolean =>
  given === audience || (audience === config.PUBLIC_URL && given === `${audience}/`)

function mismatchesOf({ audience, claims: listed }: TrustRule, claims: JWTPayload): Mismatch[] {
  const audiences = [claims.aud].flat()
  const given = audiences.filter((each) => typeof each === 'string')
  const found = Object.entries(listed).flatMap(([name, values]): Mismatch[] => {
    const detail = claimMismatch(name, values, claims)
    return detail === undefined ? [] : [{ name, detail }]
  })
  if (audiences.some((each) => isAudience(audience, each))) return found
  const detail = `The audience is ${given.slice(0, 3).map(quoted).join(', ') || 'missing'}, not ${quoted(audience)}.`
  return [{ name: 'aud', detail }, ...found]
}

/**
 * A refusal that names the first claim that does not match each trust. Its kind is made of all names for the trust that matches best: jobs
 * of others, whose tokens the same issuer signs, always lack the claim that tells them apart.
 */
function mismatched(mismatches: Mismatch[][]): RefusedAssertion {
  const details = mismatches.map(([first]) => first?.detail).slice(0, 3)
  const [closest = []] = mismatches.toSorted((one, other) => one.length - other.length)
  return new RefusedAssertion(details.join(' '), closest.map(({ name }) => name).join(' '))
}

/** What makes an assertion good for one grant: its `jti`, or else what is signed. Some signatures can be written in several ways. */
const digestOf = (assertion: string, { iss, jti }: JWTPayload): Buffer =>
  createHash('sha256')
    .update(
      JSON.stringify(
        typeof jti === 'string' ? [iss, 'jti', jti] : [iss, 'signed', assertion.slice(0, assertion.lastIndexOf('.'))],
      ),
    )
    .digest()

export interface Accepted<Trust> {
  trust: Trust
  /** Identifies the assertion, until it has expired. */
  digest: Buffer
  /** Seconds since 1970. */
  expires: number
  /** The claims that the trust names, as the audit log quotes them. */
  values: Record<string, string>
}

/**
 * Verifies an assertion against the trusts of an account. Never in a transaction: the keys of the issuer may have to be fetched.
 *
 * @throws RefusedAssertion; IssuerProblem if the keys of the issuer are not available
 */
export async function verifyAssertion<Trust extends TrustRule>(assertion: string, organization_id: string, trusts: Trust[]) {
  const { header, claims } = decoded(assertion)
  const { alg, typ, kid } = header
  if (!ALGORITHMS.includes(String(alg))) throw new RefusedAssertion(`The algorithm ${quoted(String(alg))} is not accepted.`)
  if (!isAssertionType(typ))
    throw new RefusedAssertion(`The type of the token, ${quoted(String(typ))}, is not the type of an assertion.`)
  if (kid !== undefined && typeof kid !== 'string') throw new RefusedAssertion('The id of the key is not text.')
  const { iss } = claims
  const candidates = trusts.filter(({ issuer }) => issuer === iss)
  const [first] = candidates
  if (!first)
    throw new RefusedAssertion(
      `No trust names the issuer ${typeof iss === 'string' ? quoted(iss) : 'of the assertion'}.`,
      'issuer',
    )
  const keys = await issuerKeys.keysOf(first.issuer, organization_id, kid).catch((error: unknown) => {
    if (error instanceof IssuerProblem && error.isPermanent) throw new RefusedAssertion(error.message, 'keys')
    throw error
  })
  const payload = await verified(assertion, first.issuer, keys)
  issuerKeys.vouched(first.issuer, organization_id)
  const compared = candidates.map((trust) => ({ trust, mismatches: mismatchesOf(trust, payload) }))
  const accepted = compared.find(({ mismatches }) => mismatches.length === 0)
  if (!accepted) throw mismatched(compared.map(({ mismatches }) => mismatches))
  const { exp = 0, iat = 0 } = payload
  // It is refused for its age when this has passed.
  const expires = Math.ceil(Math.min(exp, iat + MAX_AGE_SECONDS)) + 2 * TOLERANCE_SECONDS
  const values = Object.fromEntries(Object.keys(accepted.trust.claims).map((name) => [name, quoted(String(payload[name]))]))
  return { trust: accepted.trust, digest: digestOf(assertion, payload), expires, values }
}
