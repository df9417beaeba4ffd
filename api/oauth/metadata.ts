/** What describes the OAuth endpoints to clients. */
import { config } from '../../core/platform/config.ts'
import { serviceScopes } from '../credentials/service-scopes.ts'
import { grantTypes } from './token.ts'

const at = (path: string): string => new URL(path, config.PUBLIC_URL).href

/** The identifier of this service, as issuer and as resource. */
const SERVICE = config.PUBLIC_URL

/** What a personal token may do, and what service accounts may. */
const SCOPES = ['read', 'write', ...serviceScopes]

/** RFC 8414. */
export const serverMetadata = () => ({
  issuer: SERVICE,
  token_endpoint: at('/oauth/token'),
  device_authorization_endpoint: at('/oauth/device_authorization'),
  grant_types_supported: grantTypes,
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  // There is no authorization endpoint.
  response_types_supported: [],
  scopes_supported: SCOPES,
  service_documentation: at('/docs/machines'),
})

/** RFC 9728. @param path of the resource; the whole service without it */
export const resourceMetadata = (path = '') => ({
  resource: SERVICE + path,
  authorization_servers: [SERVICE],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_documentation: at('/docs'),
})
