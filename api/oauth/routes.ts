import { Elysia } from 'elysia'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { serviceScopes } from '../credentials/scopes.ts'
import { access } from '../plugins/access.ts'
import { FORM } from '../plugins/body.ts'
import { operation } from '../plugins/operation.ts'
import { limitAddress } from '../plugins/rate-limit.ts'
import { contextOf, type RequestContext } from '../plugins/request-context.ts'
import { clientCredentials } from './accounts.ts'
import { authorizationCode } from './authorization-codes.ts'
import { clientScope, refreshToken, revokeClientToken } from './client-grants.ts'
import { CODE_SECONDS, deviceCode, shownUserCode, startDevice } from './device-authorizations.ts'
import { OAuthError, oauthRefusal, oauthResponse } from './errors.ts'
import { type ClientCredentials, type Grant, Parameters, SERVICE, TOOLS } from './parameters.ts'
import { DeviceAuthorization, OAuthFailure, ResourceMetadata, ServerMetadata, TokenResponse } from './schema.ts'
import { jwtBearer, tokenExchange } from './sign-in.ts'

const GRANTS: Record<string, Grant> = {
  'urn:ietf:params:oauth:grant-type:jwt-bearer': jwtBearer,
  'urn:ietf:params:oauth:grant-type:token-exchange': tokenExchange,
  client_credentials: clientCredentials,
  'urn:ietf:params:oauth:grant-type:device_code': deviceCode,
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
}

const grantTypes = Object.keys(GRANTS)

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** @returns null without such a header. @throws OAuthError `invalid_request` */
function credentialsIn(header: string | null): ClientCredentials | null {
  const [, encoded] = /^Basic +(\S+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return null
  const [client_id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  try {
    return { client_id: decode(client_id), client_secret: decode(rest.join(':')), isInHeader: true }
  } catch {
    throw new OAuthError('invalid_request', 'The Authorization header is malformed.')
  }
}

/** @throws OAuthError, Problem */
async function giveToken(request: Request, context: RequestContext): Promise<TokenResponse> {
  const parameters = new Parameters(context.bytes)
  const grant_type = parameters.required('grant_type')
  const grant = Object.hasOwn(GRANTS, grant_type) ? GRANTS[grant_type] : undefined
  if (!grant) Object.assign(context.headers, limitAddress(context.address))
  if (!grant) throw new OAuthError('unsupported_grant_type', `The grant_type must be one of: ${grantTypes.join(', ')}.`)
  const inHeader = credentialsIn(request.headers.get('authorization'))
  const [client_id, client_secret] = [parameters.optional('client_id'), parameters.optional('client_secret')]
  if (inHeader && client_secret !== undefined)
    throw new OAuthError('invalid_request', 'The client must authenticate in the header or in the form, not in both.')
  const inForm = client_id !== undefined && client_secret !== undefined ? { client_id, client_secret, isInHeader: false } : null
  return grant({ parameters, context, credentials: inHeader ?? inForm })
}

const at = (path: string): string => new URL(path, config.PUBLIC_URL).href

/** What people can allow. The scope `decide` is not among it: only people decide. */
const CLIENT_SCOPES = ['read', 'write']
const SCOPES = [...CLIENT_SCOPES, ...serviceScopes]

/** RFC 8414. */
const serverMetadata = () => ({
  issuer: SERVICE,
  authorization_endpoint: at('/oauth/authorize'),
  token_endpoint: at('/oauth/token'),
  revocation_endpoint: at('/oauth/revoke'),
  device_authorization_endpoint: at('/oauth/device_authorization'),
  grant_types_supported: grantTypes,
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  revocation_endpoint_auth_methods_supported: ['none'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  scopes_supported: SCOPES,
  service_documentation: at('/docs/machines'),
})

/** RFC 9728. Clients ask people for all scopes that are listed here. */
const resourceMetadata = (resource: string, documentation: string) => ({
  resource,
  authorization_servers: [SERVICE],
  scopes_supported: CLIENT_SCOPES,
  bearer_methods_supported: ['header'],
  resource_documentation: at(documentation),
})

/** Answers with what the work returns, or its error, in the form of OAuth. */
async function answer(request: Request, work: (context: RequestContext) => Promise<object>): Promise<Response> {
  try {
    return oauthResponse(request, 200, await work(contextOf(request)))
  } catch (error) {
    if (error instanceof OAuthError) return oauthRefusal(request, error)
    throw error
  }
}

const FAILURES = {
  400: OAuthFailure,
  413: OAuthFailure,
  415: OAuthFailure,
  429: OAuthFailure,
  500: OAuthFailure,
  503: OAuthFailure,
}

async function authorizeDevice({ bytes, address, device }: RequestContext) {
  const parameters = new Parameters(bytes)
  const asked = {
    client_id: parameters.required('client_id'),
    device_name: parameters.optional('device_name'),
    scope: clientScope(parameters.words('scope'), 'write', 'read'),
  }
  const { device_code, user_code, interval_seconds } = await startDevice(sql, asked, { ip_address: address, device })
  return {
    device_code,
    user_code: shownUserCode(user_code),
    verification_uri: at('/device'),
    expires_in: CODE_SECONDS,
    interval: interval_seconds,
  }
}

export const oauth = new Elysia({ name: 'oauth', tags: ['OAuth'] })
  .use(access)
  // Without a rate limit: grants limit what they must.
  .post(
    '/oauth/token',
    ({ request }) => answer(request, (context) => giveToken(request, context)),
    operation('open', 'probes', {
      id: 'requestToken',
      summary: 'Get an access token',
      description: `The token endpoint of OAuth (RFC 6749). The body is a form with \`grant_type\`:

- \`urn:ietf:params:oauth:grant-type:jwt-bearer\` (RFC 7523): a build signs in as a service account, with a token of its CI system in \`assertion\`. \`service_account\` is the id of the account, one of whose trusts must accept the token. \`scope\` can name some of the scopes of the account. Each assertion is good for one sign-in.
- \`urn:ietf:params:oauth:grant-type:token-exchange\` (RFC 8693): the same, with the token in \`subject_token\` and \`subject_token_type\` \`urn:ietf:params:oauth:token-type:jwt\` or \`…:id_token\`.
- \`client_credentials\`: \`client_id\` is the id of a service account, and \`client_secret\` one of its keys, in the form or by HTTP Basic.
- \`urn:ietf:params:oauth:grant-type:device_code\` (RFC 8628): a device asks for the token that a person has allowed, with \`device_code\` and \`client_id\`.
- \`authorization_code\`: a client that a person has allowed at \`/oauth/authorize\` gets its tokens, with \`code\`, \`client_id\` and \`code_verifier\` (PKCE, RFC 7636). \`redirect_uri\` and \`resource\` (RFC 8707) can be left out; if they are sent, they must be those that it asked with. The code works for 60 seconds and once: a second use ends what the first gave.
- \`refresh_token\`: the same client gets the next tokens, with \`refresh_token\`, \`client_id\` and, for less, \`scope\`. Each refresh token works once and for 30 days. Within 10 seconds it works again, for two windows that refresh at once; a later use ends the access of the client, since two have it. What \`scope\` asks for beyond \`read\` and \`write\`, or beyond what the person has allowed, is left out; the response names what was granted.

Why an assertion was refused is only in the audit log of the organization (\`service_account.sign_in_refused\`): the response is always the same \`invalid_grant\`. \`temporarily_unavailable\` with status 503 means that the issuer does not answer.`,
      consumes: [FORM],
      responses: { 200: TokenResponse, ...FAILURES, 401: OAuthFailure },
      refusals: 'declared',
    }),
  )
  .post(
    '/oauth/device_authorization',
    ({ request }) => answer(request, authorizeDevice),
    operation('open', 'devices', {
      id: 'authorizeDevice',
      summary: 'Sign in a device',
      description:
        'Starts the device flow (RFC 8628). The body is a form: `client_id` is the name of the client, which may be any; `scope` is a list of `read` (the default) and `write`, from which anything else is left out; `device_name` names the device. The person opens `verification_uri`, types in `user_code` within 10 minutes, and allows or denies. The device asks at `/oauth/token` every `interval` seconds, and gets a personal token that is named after it and expires after 90 days.',
      consumes: [FORM],
      responses: { 200: DeviceAuthorization, ...FAILURES },
      refusals: 'declared',
    }),
  )
  .post(
    '/oauth/revoke',
    ({ request }) => answer(request, revokeClientToken),
    operation('open', 'requests', {
      id: 'revokeClientToken',
      summary: 'End the access of a client',
      description:
        "RFC 7009. The body is a form: `token` is an access or a refresh token of a client that a person has allowed, and `client_id` the client. All tokens that it has from that person's consent stop working. The answer is 200 also for a token that is unknown. Other tokens are revoked by their owners: `unsupported_token_type`.",
      consumes: [FORM],
      responses: { 200: Shape({}), ...FAILURES },
      refusals: 'declared',
    }),
  )
  .get(
    '/.well-known/oauth-authorization-server',
    () => serverMetadata(),
    operation('open', 'requests', {
      id: 'getOAuthServerMetadata',
      summary: 'Describe the OAuth endpoints',
      description: 'RFC 8414.',
      responses: { 200: ServerMetadata },
    }),
  )
  .get(
    '/.well-known/oauth-protected-resource',
    () => resourceMetadata(SERVICE, '/docs'),
    operation('open', 'requests', {
      id: 'getOAuthResourceMetadata',
      summary: 'Describe who issues tokens for the API',
      description: 'RFC 9728.',
      responses: { 200: ResourceMetadata },
    }),
  )
  .get(
    '/.well-known/oauth-protected-resource/mcp',
    () => resourceMetadata(TOOLS, '/docs/agents'),
    operation('open', 'requests', {
      id: 'getMcpResourceMetadata',
      summary: 'Describe who issues tokens for the tools of agents',
      description: 'RFC 9728. A 401 of `/mcp` refers to it.',
      responses: { 200: ResourceMetadata },
    }),
  )
