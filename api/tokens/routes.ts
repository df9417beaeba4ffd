import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { BY_ID, LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { NewToken, OrganizationToken, Token, TokenInput } from './schema.ts'
import { createToken, listOrganizationTokens, listTokens, revokeOrganizationToken, revokeToken } from './tokens.ts'

export const tokens = new Elysia({ name: 'tokens', prefix: '/api/v1', tags: ['Personal tokens'] })
  .use(access)
  .get(
    '/auth/tokens',
    ({ request, caller, query }) => listed(request, query, BY_ID, (slice) => listTokens(sql, caller.id, slice)),
    operation('signedIn', true, {
      id: 'listTokens',
      summary: 'List your personal tokens',
      description:
        'Newest first, without the secret. Clients that you have allowed to act for you are among them, named after the client and with its `client_id`. Expired tokens are listed for another 30 days.',
      query: Shape(LIST),
      responses: { 200: Type.Array(Token) },
    }),
  )
  .post(
    '/auth/tokens',
    ({ caller, change, body }) => change(201, (tx) => createToken(tx, caller, body), '/api/v1/auth/tokens'),
    operation('inSession', true, {
      id: 'createToken',
      summary: 'Create a personal token',
      description:
        'The token has your permissions until it expires or is revoked; a password reset revokes all tokens. With `scope: read` it only reads. Only with `scope: decide` it can approve and reject gates, as you: everyone who can read such a token can decide in your name. With an `organization_id` it is restricted to that organization, whose admins can see and revoke it, and it is deleted when you leave. Tokens cannot create tokens, end sessions or change your account. Only this response contains `token`.',
      body: TokenInput,
      responses: { 201: NewToken },
      errors: ['token_limit_reached'],
    }),
  )
  .delete(
    '/auth/tokens/:token_id',
    ({ request, caller, params, change }) => change(204, (tx) => revokeToken(tx, caller, params.token_id, request)),
    operation('inSession', true, {
      id: 'revokeToken',
      summary: 'Revoke one of your personal tokens',
      description: 'It stops working at once.',
      responses: { 204: null },
      errors: ['not_found'],
    }),
  )
  .get(
    '/organizations/:org_id/tokens',
    ({ request, organization, query }) =>
      listed(request, query, BY_ID, (slice) => listOrganizationTokens(sql, organization.id, slice)),
    operation('organization', 'admin', {
      id: 'listOrganizationTokens',
      summary: 'List the personal tokens restricted to an organization',
      description: 'Newest first, with their owners and without the secrets.',
      query: Shape(LIST),
      responses: { 200: Type.Array(OrganizationToken) },
    }),
  )
  .delete(
    '/organizations/:org_id/tokens/:token_id',
    ({ request, caller, organization, params, change }) =>
      change(204, (tx) => revokeOrganizationToken(tx, caller, organization, params.token_id, request)),
    operation('organization', 'admin', {
      id: 'revokeOrganizationToken',
      summary: 'Revoke a personal token restricted to an organization',
      description: 'It stops working at once. Recorded in the audit log and in the security log of its owner.',
      responses: { 204: null },
    }),
  )
