/** Errors of OAuth endpoints: JSON as in RFC 6749, section 5.2, instead of problems. */
import { contextOf } from '../plugins/request-context.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import type { Problem } from '../problems.ts'

export const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_token_type',
  'temporarily_unavailable',
  'server_error',
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
] as const

type OAuthCode = (typeof OAUTH_ERRORS)[number]

export class OAuthError extends Error {
  /** @param description for developers; in ASCII, without quotation marks and backslashes @param status other than 400 */
  constructor(
    readonly code: OAuthCode,
    readonly description: string,
    readonly status = 400,
    readonly headers: Record<string, string> = {},
  ) {
    super(description)
  }
}

export function oauthResponse(request: Request, status: number, body: object, headers: Record<string, string> = {}): Response {
  const context = contextOf(request)
  context.status = status
  return Response.json(body, {
    status,
    headers: { ...SECURITY_HEADERS, ...context.headers, ...headers, 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  })
}

export const oauthRefusal = (request: Request, { code, description, status, headers }: OAuthError): Response =>
  oauthResponse(request, status, { error: code, error_description: description }, headers)

const plain = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?')

function codeOf({ status }: Problem): OAuthCode {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** Problems of requests that matched a route: what every route checks, such as the type of the body. */
export function problemAsOAuthError(request: Request, problem: Problem): Response | null {
  const { status, code, detail, headers } = problem
  if (!new URL(request.url).pathname.startsWith('/oauth/') || code === 'not_found' || code === 'method_not_allowed') return null
  return oauthRefusal(request, new OAuthError(codeOf(problem), plain(detail), status === 422 ? 400 : status, headers))
}
