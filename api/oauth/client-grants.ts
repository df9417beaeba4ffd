/** What clients have: a personal token of the person who allowed them, with access tokens, and refresh tokens that work once. */

import { transaction } from '../../core/platform/database.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Actor, Visitor } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import { type Use, useOf } from '../credentials/refresh-tokens.ts'
import { isClientSecret, newClientSecret } from '../credentials/token-formats.ts'
import { limitAddress } from '../plugins/rate-limit.ts'
import type { RequestContext } from '../plugins/request-context.ts'
import { recordInOrganization } from '../tokens/tokens.ts'
import { OAuthError } from './errors.ts'
import { type Grant, isForToolsOnly, Parameters, requirePublicClient, type TokenRequest } from './parameters.ts'
import type { TokenResponse } from './schema.ts'

const ACCESS_SECONDS = 3_600
/** How long a client stays signed in that is not used. */
const REFRESH_DAYS = 30

type Scope = 'read' | 'write'

/** The personal token of a client. */
export interface ClientGrant {
  id: string
  user_id: string
  user_name: string
  organization_id: string | null
  client_id: string
  name: string
  scope: Scope
  tools_only: boolean
}

type Context = Pick<RequestContext, 'address' | 'device' | 'request_id'>

async function recordGrant(
  tx: Tx,
  { id, user_id, user_name, organization_id }: ClientGrant,
  { address, device, request_id }: Context,
  action: 'token.created' | 'token.revoked',
  detail: string,
): Promise<void> {
  const visitor: Visitor = { ip_address: address, device }
  await recordSecurityEvent(tx, user_id, visitor, action, detail)
  const type = action === 'token.created' ? 'human' : 'token'
  const by: Actor = { type, id: user_id, name: user_name, ip_address: address, request_id, traceparent: null }
  await recordInOrganization(tx, by, organization_id, action, id, detail)
}

async function issue(tx: Tx, token_id: string, kind: 'access' | 'refresh', scope: Scope, seconds: number): Promise<string> {
  const secret = newClientSecret(kind)
  await tx`
    insert into client_tokens (hash, token_id, kind, scope, expires_at)
    values (${tokenHash(secret)}, ${token_id}, ${kind}, ${scope}, now() + ${seconds} * interval '1 second')
  `
  return secret
}

/** Gives a client an access token, and a refresh token for the next one. @param scope of the access token */
export async function issueClientTokens(tx: Tx, grant: Pick<ClientGrant, 'id' | 'scope'>, scope: Scope): Promise<TokenResponse> {
  return {
    access_token: await issue(tx, grant.id, 'access', scope, ACCESS_SECONDS),
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: await issue(tx, grant.id, 'refresh', grant.scope, REFRESH_DAYS * 86_400),
    scope: scope === 'write' ? 'read write' : 'read',
  }
}

export async function createGrant(tx: Tx, given: Omit<ClientGrant, 'id'>, context: Context): Promise<ClientGrant> {
  const { user_id, organization_id, client_id, name, scope, tools_only } = given
  const [{ id }] = await tx<[{ id: string }]>`
    insert into personal_tokens (user_id, organization_id, client_id, name, scope, tools_only, expires_at)
    values (
      ${user_id}, ${organization_id}, ${client_id}, ${name}, ${scope}, ${tools_only}, now() + ${REFRESH_DAYS} * interval '1 day'
    )
    returning id
  `
  const grant = { id, ...given }
  const can = scope === 'write' ? 'read and write' : 'read'
  const detail = `${given.user_name} allowed ${name} to ${can}${tools_only ? ' with the tools of agents' : ''}.`
  await recordGrant(tx, grant, context, 'token.created', detail)
  return grant
}

/** Ends what a client has. @param why a sentence */
export async function endGrant(tx: Tx, grant: ClientGrant, context: Context, why: string): Promise<void> {
  const ended = await tx`delete from personal_tokens where id = ${grant.id}`
  if (ended.count > 0) await recordGrant(tx, grant, context, 'token.revoked', `${why} The access of ${grant.name} was ended.`)
}

/** The token of a client that a secret belongs to, and the secret; locked, so that two uses of the secret follow one another. */
async function lockGrant(tx: Tx, kind: 'access' | 'refresh', secret: string) {
  const hash = tokenHash(secret)
  const [found] = await tx<ClientGrant[]>`
    select
      token.id, token.user_id, users.name as user_name, token.organization_id, token.client_id, token.name, token.scope,
      token.tools_only
    from client_tokens as secret
    join personal_tokens as token on token.id = secret.token_id
    join users on users.id = token.user_id
    where secret.hash = ${hash}
      and secret.kind = ${kind}
    for update of token
  `
  return found
}

const refreshOf = (request: TokenRequest) => ({
  refresh_token: request.parameters.required('refresh_token'),
  client_id: requirePublicClient(request),
  /** Undefined: all that the person has allowed. */
  scopes: request.parameters.words('scope'),
  /** Null: not said. */
  tools_only: isForToolsOnly(request.parameters),
})

const refused = (): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token is unknown, used or expired, or is not for this client.')

/**
 * What a client gets of the scopes that it asks for. Clients request every scope that they know: the rest is left out.
 *
 * @param most that it can have
 * @param fallback what it gets if it asks for none
 * @throws OAuthError `invalid_scope` if nothing is left
 */
export function clientScope(words: string[] | undefined, most: Scope, fallback: Scope): Scope {
  if (!words?.length) return fallback
  if (most === 'write' && words.includes('write')) return 'write'
  if (words.includes('read')) return 'read'
  const can = most === 'write' ? 'read, or read and write' : 'read'
  throw new OAuthError('invalid_scope', `The scope must be ${can}. Only people decide gates.`)
}

/**
 * @returns an error that is thrown after the commit, since a second use ends the grant
 * @throws OAuthError `invalid_grant`, `invalid_scope`, `invalid_target`
 */
async function refreshGrant(tx: Tx, given: ReturnType<typeof refreshOf>, context: Context): Promise<TokenResponse | OAuthError> {
  const grant = await lockGrant(tx, 'refresh', given.refresh_token)
  if (!grant) throw refused()
  const hash = tokenHash(given.refresh_token)
  // Read now that the grant is locked: another use may have come first.
  const [found] = await tx<{ use: Use; is_expired: boolean }[]>`
    select ${useOf} as use, expires_at <= now() as is_expired from client_tokens where hash = ${hash}
  `
  if (found?.use === 'late') {
    await endGrant(tx, grant, context, 'A refresh token was used twice, which indicates theft.')
    return refused()
  }
  if (!found || found.is_expired || given.client_id !== grant.client_id) throw refused()
  if (given.tools_only !== null && given.tools_only !== grant.tools_only)
    throw new OAuthError('invalid_target', 'The resource must be the one that was asked for when the person allowed the client.')
  const scope = clientScope(given.scopes, grant.scope, grant.scope)
  if (found.use === 'first') await tx`update client_tokens set used_at = now() where hash = ${hash}`
  await tx`update personal_tokens set expires_at = now() + ${REFRESH_DAYS} * interval '1 day' where id = ${grant.id}`
  return issueClientTokens(tx, grant, scope)
}

/** RFC 6749, section 6: a client gets its next tokens. */
export const refreshToken: Grant = async (request) => {
  const { context } = request
  Object.assign(context.headers, limitAddress(context.address))
  const given = refreshOf(request)
  const answer = await transaction((tx) => refreshGrant(tx, given, context))
  if (answer instanceof OAuthError) throw answer
  return answer
}

/** How the other tokens of this service begin. */
const OTHERS = /^(sbx_|eyJ)/

/** @throws OAuthError `invalid_request`, `unsupported_token_type` */
export async function revokeClientToken(context: RequestContext): Promise<object> {
  const parameters = new Parameters(context.bytes)
  const [token, client_id] = [parameters.required('token'), parameters.required('client_id')]
  const kind = (['access', 'refresh'] as const).find((each) => isClientSecret(each, token))
  if (!kind && OTHERS.test(token))
    throw new OAuthError('unsupported_token_type', 'Only tokens of clients that a person has allowed are revoked here.')
  if (kind) {
    await transaction(async (tx) => {
      const grant = await lockGrant(tx, kind, token)
      if (grant?.client_id === client_id) await endGrant(tx, grant, context, 'The client signed out.')
    })
  }
  return {}
}
