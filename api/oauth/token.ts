/** The token endpoint: finds the grant that a request asks for. */
import { limitAddress } from '../plugins/rate-limit.ts'
import type { RequestContext } from '../plugins/request-context.ts'
import { OAuthError } from './errors.ts'
import { authorizationCode } from './grants/authorization-code.ts'
import { clientCredentials } from './grants/client-credentials.ts'
import { deviceCode } from './grants/device-code.ts'
import type { ClientCredentials, Grant } from './grants/grant.ts'
import { jwtBearer } from './grants/jwt-bearer.ts'
import { refreshToken } from './grants/refresh-token.ts'
import { tokenExchange } from './grants/token-exchange.ts'
import { Parameters } from './parameters.ts'
import type { TokenResponse } from './schema.ts'

/** A grant is a file in `grants/`. */
const GRANTS: Record<string, Grant> = {
  'urn:ietf:params:oauth:grant-type:jwt-bearer': jwtBearer,
  'urn:ietf:params:oauth:grant-type:token-exchange': tokenExchange,
  client_credentials: clientCredentials,
  'urn:ietf:params:oauth:grant-type:device_code': deviceCode,
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
}

export const grantTypes = Object.keys(GRANTS)

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
export async function giveToken(request: Request, context: RequestContext): Promise<TokenResponse> {
  const parameters = new Parameters(context.bytes)
  const grant_type = parameters.required('grant_type')
  const grant = Object.hasOwn(GRANTS, grant_type) ? GRANTS[grant_type] : undefined
  if (!grant) Object.assign(context.headers, limitAddress(context.address))
  if (!grant) throw new OAuthError('unsupported_grant_type', `The grant_type must be one of: ${grantTypes.join(', ')}.`)
  const inHeader = credentialsIn(request.headers.get('authorization'))
  const [client_id, client_secret] = [parameters.optional('client_id'), parameters.optional('client_secret')]
  if (inHeader && client_secret !== undefined) {
    throw new OAuthError('invalid_request', 'The client must authenticate in the header or in the form, not in both.')
  }
  const inForm = client_id !== undefined && client_secret !== undefined ? { client_id, client_secret, isInHeader: false } : null
  return grant({ parameters, context, credentials: inHeader ?? inForm })
}
