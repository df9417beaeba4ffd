import { OneOf, Shape, type Static, Type } from '../../core/values/schema.ts'
import { OAUTH_ERRORS } from './errors.ts'

export const OAuthFailure = Shape(
  'OAuthError',
  {
    error: OneOf(OAUTH_ERRORS, { examples: ['invalid_grant'] }),
    error_description: Type.String({ description: 'What is wrong, for developers.' }),
  },
  { description: 'RFC 6749, section 5.2.' },
)

export const TokenResponse = Shape('TokenResponse', {
  access_token: Type.String({ description: 'Send it as `Authorization: Bearer …`.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.', examples: [900] }),
  scope: Type.String({ description: 'What the token allows, separated by spaces.', examples: ['gates:open work:read'] }),
  issued_token_type: Type.Optional(Type.String({ description: 'For a token exchange.' })),
  refresh_token: Type.Optional(
    Type.String({ description: 'For a client that a person has allowed: gets the next access token, once.' }),
  ),
})
export type TokenResponse = Static<typeof TokenResponse>

export const DeviceAuthorization = Shape('DeviceAuthorization', {
  device_code: Type.String({ description: 'The device asks for its token with it.' }),
  user_code: Type.String({ description: 'The person types it in.', examples: ['WDJB-MJHT'] }),
  verification_uri: Type.String({ description: 'Where the person types the code in.' }),
  expires_in: Type.Integer({ description: 'Seconds.', examples: [600] }),
  interval: Type.Integer({ description: 'Seconds to wait between two questions.', examples: [5] }),
})

export const ServerMetadata = Shape('OAuthServerMetadata', {
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  device_authorization_endpoint: Type.String(),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String()),
  response_modes_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  client_id_metadata_document_supported: Type.Boolean(),
  scopes_supported: Type.Array(Type.String()),
  service_documentation: Type.String(),
})

export const ResourceMetadata = Shape('OAuthResourceMetadata', {
  resource: Type.String(),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  resource_documentation: Type.String(),
})
