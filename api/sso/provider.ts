/** What the service asks an OpenID provider for: its discovery document, tokens for a code, and claims (OpenID Connect Core 1.0). */
import { Deadline } from '../../core/outbound/deadline.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { fetchJson, IssuerProblem, RefusedRequest, TIMEOUT_MS } from '../oauth/issuer-documents.ts'
import { rateLimited } from '../plugins/rate-limit.ts'
import { issuerUrlError } from '../trusts/trusts.ts'
import { type Connection, callbackUrl } from './connections.ts'
import { RefusedSignOn } from './refusals.ts'

type Json = Record<string, unknown>

export interface Provider {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  userinfo_endpoint: string | null
  /** How the client sends its secret. */
  secret_by: 'basic' | 'post'
  /** Whether every answer to a browser names the issuer (RFC 9207). */
  names_issuer: boolean
}

function endpointIn(discovery: Json, name: string): string {
  const url = discovery[name]
  const flaw = typeof url === 'string' ? issuerUrlError(url) : 'is missing'
  if (typeof url !== 'string' || flaw !== null) throw new IssuerProblem(`The ${name} of its discovery document ${flaw}.`)
  return url
}

function secretBy({ token_endpoint_auth_methods_supported: offered = ['client_secret_basic'] }: Json): Provider['secret_by'] {
  const methods = Array.isArray(offered) ? offered : []
  if (methods.includes('client_secret_basic')) return 'basic'
  if (methods.includes('client_secret_post')) return 'post'
  throw new IssuerProblem('It takes the secret of a client neither by client_secret_basic nor by client_secret_post.')
}

/** Fetches the discovery document. @throws IssuerProblem */
export async function fetchProvider(issuer: string, deadline: Deadline): Promise<Provider> {
  const discovery = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, deadline)
  if (discovery.issuer !== issuer)
    throw new IssuerProblem('Its discovery document names another issuer. They must be equal, character by character.', true)
  return {
    issuer,
    authorization_endpoint: endpointIn(discovery, 'authorization_endpoint'),
    token_endpoint: endpointIn(discovery, 'token_endpoint'),
    userinfo_endpoint: discovery.userinfo_endpoint === undefined ? null : endpointIn(discovery, 'userinfo_endpoint'),
    secret_by: secretBy(discovery),
    names_issuer: discovery.authorization_response_iss_parameter_supported === true,
  }
}

/** How long a discovery document is used without fetching it again, and of how many issuers. */
const FRESH_MS = 600_000
const MAX_KNOWN = 1_000

const known = new Map<string, { provider: Provider; at: number }>()

export async function providerOf(issuer: string, deadline: Deadline): Promise<Provider> {
  const found = known.get(issuer)
  if (found && monotonicMs() - found.at < FRESH_MS) return found.provider
  const provider = await fetchProvider(issuer, deadline)
  known.delete(issuer)
  known.set(issuer, { provider, at: monotonicMs() })
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value as string)
  return provider
}

/** What people wait for at the same time, of one connection: a provider that is slow must not occupy more. */
const MAX_WAITING = 16
const waiting = new Map<string, number>()

/** Runs what asks a provider, within 5 seconds. @throws Problem `rate_limited` if too many wait for it */
export async function askProvider<Result>({ id }: Connection, ask: (deadline: Deadline) => Promise<Result>): Promise<Result> {
  const others = waiting.get(id) ?? 0
  if (others >= MAX_WAITING) throw rateLimited(5, 'Too many people wait for this provider at this moment')
  waiting.set(id, others + 1)
  const deadline = new Deadline(TIMEOUT_MS)
  try {
    return await ask(deadline)
  } finally {
    deadline.end()
    const left = (waiting.get(id) ?? 1) - 1
    if (left === 0) waiting.delete(id)
    else waiting.set(id, left)
  }
}

/** As RFC 6749 wants it in the header, section 2.3.1. */
const encoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

type Fields = Record<string, string>

const credentials = ({ client_id, client_secret }: Connection, by: Provider['secret_by']): { headers: Fields; fields: Fields } =>
  by === 'basic'
    ? { headers: { Authorization: `Basic ${btoa(`${encoded(client_id)}:${encoded(client_secret)}`)}` }, fields: {} }
    : { headers: {}, fields: { client_id, client_secret } }

/** A browser sent the code: what the provider refuses is a fault of the sign-on, and not of the provider. */
async function refusable<Result>(what: string, request: Promise<Result>): Promise<Result> {
  try {
    return await request
  } catch (error) {
    if (error instanceof RefusedRequest) throw new RefusedSignOn(`The provider refused ${what}. ${error.message}`)
    throw error
  }
}

/** Exchanges a code. @throws RefusedSignOn; IssuerProblem if the provider is away */
export async function exchangeCode(
  connection: Connection,
  provider: Provider,
  { code, code_verifier }: { code: string; code_verifier: string },
  deadline: Deadline,
): Promise<{ id_token: string; access_token: string | null }> {
  const { headers, fields } = credentials(connection, provider.secret_by)
  const redirect_uri = callbackUrl(connection)
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, code_verifier, ...fields })
  const answer = await refusable(
    'the code, or the client secret',
    fetchJson(provider.token_endpoint, deadline, undefined, { headers, form }),
  )
  const { id_token, access_token } = answer
  if (typeof id_token !== 'string') throw new RefusedSignOn('The provider sent no ID token.')
  return { id_token, access_token: typeof access_token === 'string' ? access_token : null }
}

/** Fetches the claims that are not in the ID token, of the same person. @throws RefusedSignOn, IssuerProblem */
export async function fetchUserInfo(endpoint: string, access_token: string, subject: unknown, deadline: Deadline): Promise<Json> {
  if (!/^[!-~]+$/.test(access_token)) throw new RefusedSignOn('The access token of the provider cannot be sent.')
  const request = { headers: { Authorization: `Bearer ${access_token}` } }
  const claims = await refusable('the access token', fetchJson(endpoint, deadline, undefined, request))
  if (claims.sub !== subject) throw new RefusedSignOn('The userinfo endpoint answered about another person than the ID token.')
  return claims
}
