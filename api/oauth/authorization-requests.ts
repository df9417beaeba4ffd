/** Requests of clients to be allowed to act for a person (RFC 6749, section 4.1.1, with what OAuth 2.1 requires). */
import { type Client, ClientProblem, findClient, isSameRedirect, redirectTarget, withParameters } from './client-documents.ts'
import { clientScope } from './client-grants.ts'
import { OAuthError } from './errors.ts'
import { isForToolsOnly, Parameters, SERVICE } from './parameters.ts'

export interface AuthorizationRequest {
  client: Client
  redirect_uri: string
  state: string | undefined
  code_challenge: string
  scope: 'read' | 'write'
  tools_only: boolean
}

/** A request, or why it is refused, with the answer to the client, if that is known to be the one that is named. */
export type ReadRequest = { request: AuthorizationRequest } | { problem: string; answer: string | null }

type Asking = Pick<AuthorizationRequest, 'redirect_uri' | 'state'>

export const answerTo = (
  { redirect_uri, state }: Asking,
  parameters: { code: string } | { error: string; error_description: string },
) => withParameters(redirect_uri, { ...parameters, ...(state === undefined ? {} : { state }), iss: SERVICE })

/** @throws OAuthError `invalid_request` */
function challengeOf(parameters: Parameters): string {
  const challenge = parameters.required('code_challenge')
  if (parameters.optional('code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'The code_challenge_method must be S256.')
  if (/^[\w-]{43}$/.test(challenge)) return challenge
  throw new OAuthError('invalid_request', 'The code_challenge must be a SHA-256 in base64url.')
}

/** @throws OAuthError */
function detailsOf(parameters: Parameters) {
  if (parameters.required('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'The response_type must be code.')
  if (![undefined, 'query'].includes(parameters.optional('response_mode')))
    throw new OAuthError('invalid_request', 'The response_mode must be query.')
  return {
    code_challenge: challengeOf(parameters),
    scope: clientScope(parameters.words('scope'), 'write', 'read'),
    tools_only: isForToolsOnly(parameters) ?? false,
  }
}

/** The client of a request. @throws ClientProblem, OAuthError, Problem */
async function askingClient(parameters: Parameters, user_id: string) {
  const client = await findClient(parameters.required('client_id'), user_id)
  const [first, ...others] = client.redirect_uris
  const redirect_uri = parameters.optional('redirect_uri') ?? (others.length === 0 ? first : undefined)
  if (redirect_uri === undefined) {
    throw new OAuthError(
      'invalid_request',
      'The parameter redirect_uri is required, unless the document of the client lists one alone.',
    )
  }
  if (redirectTarget(redirect_uri) === null || !client.redirect_uris.some((listed) => isSameRedirect(listed, redirect_uri)))
    throw new ClientProblem('It wants its answer at an address that its document does not list, or that codes are never sent to.')
  return { client, redirect_uri }
}

/** Nothing is sent to the client before its redirect URI is verified. @throws Problem `rate_limited`, `malformed_encoding` */
export async function readRequest(search: string, user_id: string): Promise<ReadRequest> {
  try {
    const parameters = new Parameters(Buffer.from(search.slice(1)))
    const asking = { ...(await askingClient(parameters, user_id)), state: parameters.optional('state') }
    try {
      return { request: { ...asking, ...detailsOf(parameters) } }
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const { code, description } = error
      return { problem: description, answer: answerTo(asking, { error: code, error_description: description }) }
    }
  } catch (error) {
    if (error instanceof ClientProblem) return { problem: error.message, answer: null }
    if (error instanceof OAuthError) return { problem: error.description, answer: null }
    throw error
  }
}
