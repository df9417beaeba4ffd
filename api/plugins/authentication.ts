/** Authentication: who sends a request, by the bearer token or by another credential, and whether that credential allows it. */
import { epochSeconds } from '../../core/platform/clock.ts'
import { traceparentOf } from '../../core/platform/traces.ts'
import { unauthenticated, verifyAccessToken } from '../credentials/access-tokens.ts'
import { isServiceAccountToken, verifyServiceAccountToken } from '../credentials/service-account-tokens.ts'
import { isClientSecret, isIntactSecret, isWellFormed, PREFIX } from '../credentials/token-formats.ts'
import { Problem } from '../problems.ts'
import { byClientToken, bySession, byToken, type FoundCaller, findCaller } from './callers.ts'
import { recordAccountUse, recordUse } from './last-use.ts'
import { limitAddress, limitCaller } from './rate-limit.ts'
import type { Caller, RequestContext } from './request-context.ts'
import type { Kind } from './resources.ts'
import { requireScope, requireServiceScope } from './scopes.ts'
import { findByClaims, findByKey, isServiceAccountKey } from './service-account-access.ts'

function bearer(request: Request): string {
  const header = request.headers.get('authorization')
  if (!header) throw unauthenticated('Send an access token: "Authorization: Bearer <token>".')
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? []
  if (!token) throw unauthenticated('The Authorization header must have the form "Bearer <token>".')
  return token
}

function refusalOf(token: string): string {
  if (token.startsWith(PREFIX)) return 'The personal token is invalid, revoked or expired. Create a new one.'
  if (isClientSecret('access', token))
    return 'The access token is invalid or expired, its client is not allowed any more, or it is only for /mcp. Refresh it, or sign in again.'
  if (isServiceAccountKey(token)) return 'The key is invalid, revoked or expired, or its service account is disabled or deleted.'
  return isServiceAccountToken(token)
    ? 'The service account of this access token is disabled or deleted, or its key or trust was removed.'
    : 'The session of this access token has ended. Sign in again.'
}

/**
 * @returns undefined if the personal token, the session, or the key no longer exists
 * @throws Problem `unauthenticated` for an invalid or expired access token
 */
async function findByToken<K extends Kind>(
  token: string,
  isForTools: boolean,
  kind: K | null,
  id: string | null,
): Promise<FoundCaller<K> | undefined> {
  if (token.startsWith(PREFIX)) return isWellFormed(token) ? findCaller(byToken(token), kind, id) : undefined
  if (isClientSecret('access', token))
    return isIntactSecret('access', token) ? findCaller(byClientToken(token, isForTools), kind, id) : undefined
  if (isServiceAccountKey(token)) return findByKey(token, kind, id)
  if (isServiceAccountToken(token)) return findByClaims(await verifyServiceAccountToken(token), kind, id)
  return findCaller(bySession(await verifyAccessToken(token, epochSeconds())), kind, id)
}

const typeOf = ({ service_account, token_id }: FoundCaller): Caller['type'] => {
  if (service_account) return 'service_account'
  return token_id === null ? 'human' : 'token'
}

/**
 * Identifies the caller of a request, and counts the request: for the caller or, if there is none, for the client address.
 *
 * @param kind of the resource that the path names
 * @param find finds the caller by the credential of the request
 * @throws what `find` throws; Problem `rate_limited`, `read_only_token`, `person_required`, `insufficient_scope`
 */
export async function identify<K extends Kind>(
  context: RequestContext,
  request: Request,
  kind: K | null,
  find: () => Promise<FoundCaller<K>>,
): Promise<FoundCaller<K>> {
  let found: FoundCaller<K>
  try {
    found = await find()
    context.caller = {
      type: typeOf(found),
      id: found.user_id,
      name: found.user_name,
      email: found.email,
      ip_address: context.address,
      device: context.device,
      request_id: context.request_id,
      traceparent: traceparentOf(context.span),
      via: context.via,
      session_id: found.session_id,
      token_id: found.token_id,
      bound_to: found.bound_to,
      has_second_factor: found.has_second_factor,
      unproven: found.unproven,
      has_password: found.has_password,
      opened_by: found.opened_by,
      service_account: found.service_account,
    }
  } catch (error) {
    if (error instanceof Problem) Object.assign(context.headers, limitAddress(context.address))
    throw error
  }
  if (found.session_id) recordUse('sessions', found.session_id)
  if (found.token_id) recordUse('personal_tokens', found.token_id)
  Object.assign(context.headers, limitCaller(found.user_id))
  if (found.service_account) {
    recordAccountUse(context.caller, found.service_account)
    requireServiceScope(found.service_account, context.scopes)
    return found
  }
  const isReading = context.isReading || request.method === 'GET' || request.method === 'HEAD'
  requireScope(found.scope, isReading, context.decidesNothing ? null : kind)
  return found
}

/** @param id of the resource; null without one, and if it is malformed */
export const authenticate = <K extends Kind>(
  context: RequestContext,
  request: Request,
  kind: K | null,
  id: string | null,
): Promise<FoundCaller<K>> =>
  identify(context, request, kind, async () => {
    const token = bearer(request)
    const found = await findByToken(token, context.isForTools, id === null ? null : kind, id)
    if (!found) throw unauthenticated(refusalOf(token))
    return found
  })
