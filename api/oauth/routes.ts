import { Elysia } from 'elysia'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { FORM } from '../plugins/body.ts'
import { operation } from '../plugins/operation.ts'
import { contextOf, type RequestContext } from '../plugins/request-context.ts'
import { CODE_SECONDS, startDevice } from './device-authorizations.ts'
import { OAuthError, oauthRefusal, oauthResponse } from './errors.ts'
import { serverMetadata, serviceMetadata, toolsMetadata } from './metadata.ts'
import { Parameters } from './parameters.ts'
import { revokeClientToken } from './revocation.ts'
import { DeviceAuthorization, OAuthFailure, ResourceMetadata, ServerMetadata, TokenResponse } from './schema.ts'
import { giveToken } from './token.ts'
import { shownUserCode } from './user-codes.ts'

const tag = 'OAuth'

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
  const scope = parameters.optional('scope') ?? 'read'
  if (scope !== 'read' && scope !== 'write') throw new OAuthError('invalid_scope', 'The scope must be read or write.')
  const asked = { client_id: parameters.required('client_id'), device_name: parameters.optional('device_name'), scope } as const
  const { device_code, user_code, interval_seconds } = await startDevice(sql, asked, { ip_address: address, device })
  return {
    device_code,
    user_code: shownUserCode(user_code),
    verification_uri: new URL('/device', config.PUBLIC_URL).href,
    expires_in: CODE_SECONDS,
    interval: interval_seconds,
  }
}

export const oauth = new Elysia({ name: 'oauth' })
  .use(access)
  // Without a rate limit: grants limit what they must.
  .post('/oauth/token', ({ request }) => answer(request, (context) => giveToken(request, context)), {
    open: 'probes',
    ...operation({
      tag,
      id: 'requestToken',
      summary: 'Get an access token',
      description: `The token endpoint of OAuth (RFC 6749). The body is a form with \`grant_type\`:

- \`urn:ietf:params:oauth:grant-type:jwt-bearer\` (RFC 7523): a build signs in as a service account, with a token of its CI system in \`assertion\`. \`service_account\` is the id of the account, one of whose trusts must accept the token. \`scope\` can name some of the scopes of the account. Each assertion is good for one sign-in.
- \`urn:ietf:params:oauth:grant-type:token-exchange\` (RFC 8693): the same, with the token in \`subject_token\` and \`subject_token_type\` \`urn:ietf:params:oauth:token-type:jwt\` or \`…:id_token\`.
- \`client_credentials\`: \`client_id\` is the id of a service account, and \`client_secret\` one of its keys, in the form or by HTTP Basic.
- \`urn:ietf:params:oauth:grant-type:device_code\` (RFC 8628): a device asks for the token that a person has allowed, with \`device_code\` and \`client_id\`.
- \`authorization_code\`: a client that a person has allowed at \`/oauth/authorize\` gets its tokens, with \`code\`, \`redirect_uri\`, \`client_id\`, \`code_verifier\` (PKCE, RFC 7636) and the \`resource\` that it asked for (RFC 8707). The code works for 60 seconds and once: a second use ends what the first gave.
- \`refresh_token\`: the same client gets the next tokens, with \`refresh_token\`, \`client_id\` and, for less, \`scope\`. Each refresh token works once and for 30 days. A second use ends the access of the client, since two have it.

Why an assertion was refused is only in the audit log of the organization (\`service_account.sign_in_refused\`): the response is always the same \`invalid_grant\`. \`temporarily_unavailable\` with status 503 means that the issuer does not answer.`,
      consumes: [FORM],
      responses: { 200: TokenResponse, ...FAILURES, 401: OAuthFailure },
      refusals: 'declared',
    }),
  })
  .post('/oauth/device_authorization', ({ request }) => answer(request, authorizeDevice), {
    open: 'devices',
    ...operation({
      tag,
      id: 'authorizeDevice',
      summary: 'Sign in a device',
      description:
        'Starts the device flow (RFC 8628). The body is a form: `client_id` is the name of the client, which may be any; `scope` is `read` (the default) or `write`; `device_name` names the device. The person opens `verification_uri`, types in `user_code` within 10 minutes, and allows or denies. The device asks at `/oauth/token` every `interval` seconds, and gets a personal token that is named after it and expires after 90 days.',
      consumes: [FORM],
      responses: { 200: DeviceAuthorization, ...FAILURES },
      refusals: 'declared',
    }),
  })
  .post('/oauth/revoke', ({ request }) => answer(request, revokeClientToken), {
    open: 'requests',
    ...operation({
      tag,
      id: 'revokeClientToken',
      summary: 'End the access of a client',
      description:
        "RFC 7009. The body is a form: `token` is an access or a refresh token of a client that a person has allowed, and `client_id` the client. All tokens that it has from that person's consent stop working. The answer is 200 also for a token that is unknown. Other tokens are revoked by their owners: `unsupported_token_type`.",
      consumes: [FORM],
      responses: { 200: Shape({}), ...FAILURES },
      refusals: 'declared',
    }),
  })
  .get('/.well-known/oauth-authorization-server', () => serverMetadata(), {
    open: 'requests',
    ...operation({
      tag,
      id: 'getOAuthServerMetadata',
      summary: 'Describe the OAuth endpoints',
      description: 'RFC 8414.',
      responses: { 200: ServerMetadata },
    }),
  })
  .get('/.well-known/oauth-protected-resource', () => serviceMetadata(), {
    open: 'requests',
    ...operation({
      tag,
      id: 'getOAuthResourceMetadata',
      summary: 'Describe who issues tokens for the API',
      description: 'RFC 9728.',
      responses: { 200: ResourceMetadata },
    }),
  })
  .get('/.well-known/oauth-protected-resource/mcp', () => toolsMetadata(), {
    open: 'requests',
    ...operation({
      tag,
      id: 'getMcpResourceMetadata',
      summary: 'Describe who issues tokens for the tools of agents',
      description: 'RFC 9728. A 401 of `/mcp` refers to it.',
      responses: { 200: ResourceMetadata },
    }),
  })
