import type { RequestContext } from '../../plugins/request-context.ts'
import { OAuthError } from '../errors.ts'
import type { Parameters } from '../parameters.ts'
import type { TokenResponse } from '../schema.ts'

/** What a client authenticates with, in the form or in the header (RFC 6749, section 2.3.1). */
export interface ClientCredentials {
  client_id: string
  client_secret: string
  /** Whether they came in the header, so that a refusal asks for them there. */
  isInHeader: boolean
}

/** A request for a token. */
export interface TokenRequest {
  parameters: Parameters
  context: RequestContext
  /** Null for a client that is not authenticated. */
  credentials: ClientCredentials | null
}

/** Gives a token. @throws OAuthError, Problem */
export type Grant = (request: TokenRequest) => Promise<TokenResponse>

/**
 * The client of a request for tokens that a person has allowed. Such clients have no secret: PKCE and the single use of what they have
 * protect it.
 *
 * @throws OAuthError `invalid_client` if it has sent one
 */
export function requirePublicClient({ parameters, credentials }: TokenRequest): string {
  if (credentials === null) return parameters.required('client_id')
  const challenge: Record<string, string> = credentials.isInHeader ? { 'WWW-Authenticate': 'Basic realm="signalbox"' } : {}
  throw new OAuthError('invalid_client', 'This client is public: it must send its client_id, and no secret.', 401, challenge)
}
