/** Requests to OAuth endpoints: their parameters, who sends them, and what the token is to be for. */
import { config } from '../../core/platform/config.ts'
import { bareUrl } from '../../core/values/web-addresses.ts'
import { parseForm } from '../pages/forms.ts'
import type { RequestContext } from '../plugins/request-context.ts'
import { OAuthError } from './errors.ts'
import type { TokenResponse } from './schema.ts'

/** Those of one request. None but `resource` may be repeated, and an empty one counts as absent (RFC 6749, section 3.2). */
export class Parameters {
  readonly #values: Map<string, string>
  /** What the token is to be for (RFC 8707). */
  readonly resources: string[]

  /** @throws OAuthError `invalid_request`; Problem if the form is malformed */
  constructor(form: Uint8Array) {
    const fields = parseForm(form)
    this.resources = fields.getAll('resource').filter(Boolean)
    const pairs = [...fields].filter(([name]) => name !== 'resource')
    this.#values = new Map(pairs)
    if (this.#values.size < pairs.length) throw new OAuthError('invalid_request', 'A parameter must not be repeated.')
  }

  optional(name: string): string | undefined {
    return this.#values.get(name) || undefined
  }

  /** @throws OAuthError `invalid_request` */
  required(name: string): string {
    const value = this.optional(name)
    if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is required.`)
    return value
  }

  words(name: string): string[] | undefined {
    return this.optional(name)?.split(' ').filter(Boolean)
  }
}

/** What a client authenticates with, in the form or in the header (RFC 6749, section 2.3.1). */
export interface ClientCredentials {
  client_id: string
  client_secret: string
  isInHeader: boolean
}

export interface TokenRequest {
  parameters: Parameters
  context: RequestContext
  /** Null for a client that is not authenticated. */
  credentials: ClientCredentials | null
}

/** Gives a token. @throws OAuthError, Problem */
export type Grant = (request: TokenRequest) => Promise<TokenResponse>

/** With the challenge for the header, if the credentials were in it. */
export const invalidClient = (description: string, credentials: ClientCredentials | null): OAuthError =>
  new OAuthError(
    'invalid_client',
    description,
    401,
    credentials?.isInHeader ? { 'WWW-Authenticate': 'Basic realm="signalbox"' } : {},
  )

/**
 * The client of a request for tokens that a person has allowed. Such clients have no secret: PKCE and the single use of what they have
 * protect it. Some libraries send their id in the header all the same, with an empty secret.
 *
 * @throws OAuthError `invalid_client` if it has sent one
 */
export function requirePublicClient({ parameters, credentials }: TokenRequest): string {
  if (credentials === null) return parameters.required('client_id')
  const { client_id, client_secret } = credentials
  if (client_secret === '' && (parameters.optional('client_id') ?? client_id) === client_id) return client_id
  throw invalidClient('This client is public: it must send its client_id, and no secret.', credentials)
}

/** The identifier of this service, as issuer and as resource. */
export const SERVICE = config.PUBLIC_URL

export const TOOLS = `${SERVICE}/mcp`

/** By the resource indicators (RFC 8707) of the request; null if it names none. @throws OAuthError `invalid_target` */
export function isForToolsOnly({ resources }: Parameters): boolean | null {
  const named = resources.map((each) => (URL.canParse(each) ? bareUrl(each) : each))
  if (!named.every((each) => [TOOLS, SERVICE, `${SERVICE}/`].includes(each)))
    throw new OAuthError('invalid_target', `The resource must be ${TOOLS} or ${SERVICE}.`)
  return named.length === 0 ? null : named.every((each) => each === TOOLS)
}
