/** What describes the OAuth endpoints to clients. */
import { config } from '../../core/platform/config.ts'
import { serviceScopes } from '../credentials/scopes.ts'
import { SERVICE, TOOLS } from './resources.ts'
import { grantTypes } from './token.ts'

const at = (path: string): string => new URL(path, config.PUBLIC_URL).href

/** What people can allow. The scope `decide` is not among it: only people decide. */
const CLIENT_SCOPES = ['read', 'write']
const SCOPES = [...CLIENT_SCOPES, ...serviceScopes]

/** RFC 8414. */
export const serverMetadata = () => ({
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

export const serviceMetadata = () => resourceMetadata(SERVICE, '/docs')
export const toolsMetadata = () => resourceMetadata(TOOLS, '/docs/agents')
