/** The answer of a provider to a sign-on, which a browser brings: it is verified, and says who the person is. */
import { type Deadline, DeadlineExpired } from '../../core/outbound/deadline.ts'
import { sql } from '../../core/platform/database.ts'
import { quoted } from '../oauth/assertions.ts'
import { IssuerProblem } from '../oauth/issuer-documents.ts'
import { type Claims, rootOf } from './claims.ts'
import type { Connection } from './connections.ts'
import { countedClaims } from './counting.ts'
import { verifyIdToken } from './id-tokens.ts'
import { type Person, personIn } from './people.ts'
import { askProvider, exchangeCode, fetchUserInfo, type Provider, providerOf } from './provider.ts'
import { providerAway, RefusedSignOn, recordRefusal, signOnRefused } from './refusals.ts'
import { type Start, takeStart } from './starts.ts'

function onlyOnce(parameters: URLSearchParams): void {
  const names = [...parameters.keys()]
  if (new Set(names).size < names.length) throw new RefusedSignOn('A parameter of the answer is repeated.')
}

/** RFC 9207: an answer of another provider must not pass for one of this (mix-up). */
function requireIssuer({ issuer, names_issuer }: Provider, iss: string | null): void {
  if (iss === null ? names_issuer : iss !== issuer) throw new RefusedSignOn('The answer does not name this issuer.')
}

const MAX_CODE = 4_096

/** Claims that are of use here, beside those that a connection requires. */
const WANTED = ['email', 'email_verified', 'name']

/** The claims that the ID token lacks come from userinfo. That an address is verified is said by what names that address. */
function combined(token: Claims, info: Record<string, unknown>): Claims {
  const { email, email_verified } = token.email === undefined ? info : token
  const verified = email_verified ?? (email === info.email ? info.email_verified : undefined)
  return { ...info, ...token, email, email_verified: verified }
}

interface Found {
  claims: Claims
  /** The wanted ones that the provider was asked for, and did not answer. */
  unknown: string[]
}

/** Claims that are needed, and those that are wanted for groups. */
async function complete(
  connection: Connection,
  token: Claims,
  fetchMore: () => Promise<Record<string, unknown>>,
): Promise<Found> {
  const lacks = (names: string[]) => names.filter((name) => !Object.hasOwn(token, name))
  const needed = lacks([...WANTED, ...Object.keys(connection.claims), ...(connection.organization_id ? connection.wanted : [])])
  const wanted = lacks(connection.wanted)
  if (needed.length === 0 && wanted.length === 0) return { claims: token, unknown: [] }
  try {
    return { claims: combined(token, await fetchMore()), unknown: [] }
  } catch (error) {
    // What organizations want of the provider of the instance must not keep people out.
    if (needed.length > 0) throw error
    return { claims: token, unknown: wanted }
  }
}

async function claimsFor(
  connection: Connection,
  started: Start,
  parameters: URLSearchParams,
  deadline: Deadline,
): Promise<Found> {
  const provider = await providerOf(connection.issuer, deadline)
  requireIssuer(provider, parameters.get('iss'))
  const error = parameters.get('error')
  if (error !== null) throw new RefusedSignOn(`The provider answered ${quoted(error)}.`)
  const code = parameters.get('code') ?? ''
  if (code === '' || code.length > MAX_CODE) throw new RefusedSignOn('The answer has no code.')
  const { id_token, access_token } = await exchangeCode(connection, provider, { code, ...started }, deadline)
  const claims = await verifyIdToken(id_token, connection, started.nonce, deadline)
  const { userinfo_endpoint } = provider
  if (userinfo_endpoint === null || access_token === null) return { claims, unknown: [] }
  return complete(connection, claims, () => fetchUserInfo(userinfo_endpoint, access_token, claims.sub, deadline))
}

/** What people read when a provider does not answer, or not as one. */
export async function whyAway(connection: Connection, error: unknown): Promise<unknown> {
  if (!(error instanceof IssuerProblem || error instanceof DeadlineExpired)) return error
  await recordRefusal(connection, error.message)
  return error instanceof IssuerProblem && error.isPermanent ? signOnRefused() : providerAway()
}

export interface Answered {
  started: Start
  person: Person
}

/**
 * Verifies the answer of a provider.
 *
 * @throws Problem `sso_refused`, `sso_unavailable`, `rate_limited`
 */
export async function verifyAnswer(request: Request, connection: Connection, parameters: URLSearchParams): Promise<Answered> {
  try {
    onlyOnce(parameters)
    const started = await takeStart(request, connection, parameters.get('state') ?? '')
    const wanted = connection.organization_id === null ? (await countedClaims(sql)).map(rootOf) : connection.wanted
    const asking = { ...connection, wanted }
    const { claims, unknown } = await askProvider(connection, (deadline) => claimsFor(asking, started, parameters, deadline))
    return { started, person: personIn(asking, claims, unknown) }
  } catch (error) {
    if (error instanceof RefusedSignOn) {
      await recordRefusal(connection, error.message)
      throw signOnRefused()
    }
    throw await whyAway(connection, error)
  }
}
