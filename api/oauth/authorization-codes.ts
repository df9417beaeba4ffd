/** Authorization codes: what a person has allowed, for the client to exchange for its tokens once. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { transaction } from '../../core/platform/database.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Tx } from '../../sql/index.ts'
import { isLiveSession } from '../credentials/live-sessions.ts'
import { newClientSecret } from '../credentials/token-formats.ts'
import { limitAddress } from '../plugins/rate-limit.ts'
import type { RequestContext, SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { keepProofs, requireCapacity, requireLiveSession, requireMembership } from '../tokens/tokens.ts'
import type { AuthorizationRequest } from './authorization-requests.ts'
import { type ClientGrant, createGrant, endGrant, issueClientTokens } from './client-grants.ts'
import { OAuthError } from './errors.ts'
import { type Grant, isForToolsOnly, requirePublicClient, type TokenRequest } from './parameters.ts'

const CODE_SECONDS = 60

const MAX_NAME_LENGTH = 120

/** What the token of a client is called: by its name, and by its host, which it cannot choose. */
function tokenName({ name, host }: AuthorizationRequest['client']): string {
  // The end of a name of a host says whose it is.
  const known = host.length > 50 ? `…${host.slice(-49)}` : host
  return (name === host ? known : `${name} (${known})`).slice(0, MAX_NAME_LENGTH)
}

/** @throws Problem `token_limit_reached`, `unauthenticated`; 422 if the person is not a member of the organization */
export async function createCode(
  tx: Tx,
  by: SignedIn,
  { client, redirect_uri, code_challenge, tools_only }: AuthorizationRequest,
  { organization_id, scope }: Pick<ClientGrant, 'organization_id' | 'scope'>,
): Promise<string> {
  // Locks the user: what ends all access of the account comes before or after, and then ends the code.
  await requireCapacity(tx, by.id, null)
  await requireLiveSession(tx, by)
  if (organization_id !== null) await requireMembership(tx, by.id, organization_id)
  const code = newClientSecret('code')
  await tx`
    insert into authorization_codes (
      hash, user_id, session_id, organization_id, client_id, name, redirect_uri, code_challenge, scope, tools_only, expires_at
    )
    values (
      ${tokenHash(code)}, ${by.id}, ${by.session_id}, ${organization_id}, ${client.client_id}, ${tokenName(client)},
      ${redirect_uri}, ${code_challenge}, ${scope}, ${tools_only}, now() + ${CODE_SECONDS} * interval '1 second'
    )
  `
  return code
}

const exchangeOf = (request: TokenRequest) => ({
  code: request.parameters.required('code'),
  client_id: requirePublicClient(request),
  /** Undefined: not said, since the verifier proves who asks. */
  redirect_uri: request.parameters.optional('redirect_uri'),
  code_verifier: request.parameters.required('code_verifier'),
  /** Null: not said. */
  tools_only: isForToolsOnly(request.parameters),
})

interface FoundCode extends Omit<ClientGrant, 'id'> {
  redirect_uri: string
  code_challenge: string
  session_id: string
  token_id: string | null
  is_live: boolean
}

/** The same for every reason: no caller learns which part is right. */
const refused = (): OAuthError =>
  new OAuthError('invalid_grant', 'The code is unknown, used or expired, or is not for this client, redirect_uri and verifier.')

const isVerified = (code_challenge: string, code_verifier: string): boolean =>
  /^[\w.~-]{43,128}$/.test(code_verifier) &&
  timingSafeEqual(Buffer.from(createHash('sha256').update(code_verifier).digest('base64url')), Buffer.from(code_challenge))

/** A code, when its user is locked: two uses follow one another, and nothing ends the access of the user meanwhile. */
async function lockCode(tx: Tx, hash: Buffer): Promise<FoundCode | undefined> {
  await tx`
    select from users where id = (select user_id from authorization_codes where hash = ${hash}) for no key update
  `
  const [found] = await tx<FoundCode[]>`
    select
      code.user_id, users.name as user_name, code.organization_id, code.client_id, code.name, code.scope, code.tools_only,
      code.redirect_uri, code.code_challenge, code.session_id, code.token_id,
      code.expires_at > now() and ${isLiveSession} as is_live
    from authorization_codes as code
    join users on users.id = code.user_id
    join sessions as session on session.id = code.session_id
    where code.hash = ${hash}
  `
  return found
}

/**
 * @returns an error that is thrown after the commit, since a second use ends what the first gave
 * @throws OAuthError `invalid_grant`, `invalid_target`; Problem `token_limit_reached`
 */
async function exchangeCode(tx: Tx, given: ReturnType<typeof exchangeOf>, context: RequestContext) {
  const hash = tokenHash(given.code)
  const found = await lockCode(tx, hash)
  if (!found) throw refused()
  const { redirect_uri, code_challenge, session_id, token_id, is_live, ...grant } = found
  if (token_id !== null) {
    await endGrant(tx, { id: token_id, ...grant }, context, 'An authorization code was used twice, which indicates theft.')
    return refused()
  }
  const isOwn = given.client_id === grant.client_id && (given.redirect_uri ?? redirect_uri) === redirect_uri
  if (!is_live || !isOwn || !isVerified(code_challenge, given.code_verifier)) throw refused()
  // The tools are part of the whole API: a client that names them only now gets less than the person has allowed.
  const tools_only = given.tools_only ?? grant.tools_only
  if (grant.tools_only && !tools_only)
    throw new OAuthError('invalid_target', 'The resource must be the one that was asked for when the person allowed the client.')
  await requireCapacity(tx, grant.user_id, null)
  if (grant.organization_id !== null) {
    await requireMembership(tx, grant.user_id, grant.organization_id).catch((error: unknown) => {
      throw error instanceof Problem ? refused() : error
    })
  }
  const created = await createGrant(tx, { ...grant, tools_only }, context)
  await keepProofs(tx, created.id, session_id)
  await tx`update authorization_codes set token_id = ${created.id} where hash = ${hash}`
  return issueClientTokens(tx, created, created.scope)
}

/** RFC 6749, section 4.1.3, with PKCE: a client that a person has allowed gets its tokens. */
export const authorizationCode: Grant = async (request) => {
  const { context } = request
  Object.assign(context.headers, limitAddress(context.address))
  const given = exchangeOf(request)
  const answer = await transaction((tx) => exchangeCode(tx, given, context))
  if (answer instanceof OAuthError) throw answer
  return answer
}
