import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { NewToken, OrganizationToken, Token, TokenInput } from './schema.ts'
import { createToken, listOrganizationTokens, listTokens, revokeOrganizationToken, revokeToken } from './tokens.ts'

const tag = 'Personal tokens'

export const tokens = new Elysia({ name: 'tokens', prefix: '/api/v1' })
  .use(access)
  .get('/auth/tokens', ({ request, caller, query }) => listed(request, query, (slice) => listTokens(sql, caller.id, slice)), {
    signedIn: true,
    ...operation({
      tag,
      id: 'listTokens',
      summary: 'Your personal tokens',
      description: 'Newest first, without the secret. Those that have expired are listed for 30 days more.',
      query: Shape(LIST),
      responses: { 200: Type.Array(Token) },
    }),
  })
  .post(
    '/auth/tokens',
    ({ caller, change, body }) =>
      change(
        201,
        (tx) => createToken(tx, caller, body),
        ({ id }) => `/api/v1/auth/tokens/${id}`,
      ),
    {
      inSession: true,
      ...operation({
        tag,
        id: 'createToken',
        summary: 'Make a personal token',
        description:
          'It does what you may do, until it expires or is revoked; a password reset revokes all. With `scope: read` it may only GET. With an `organization_id` it works in that organization alone, its admins see it and may revoke it, and it goes when you leave. No token makes tokens, ends sessions or changes your account. `token` is shown here and never again.',
        body: TokenInput,
        responses: { 201: NewToken },
        errors: ['token_limit_reached'],
      }),
    },
  )
  .delete(
    '/auth/tokens/:token_id',
    ({ request, caller, params, change }) => change(204, (tx) => revokeToken(tx, caller, params.token_id, request)),
    {
      inSession: true,
      ...operation({
        tag,
        id: 'revokeToken',
        summary: 'Revoke one of your personal tokens',
        description: 'It stops working at once.',
        responses: { 204: null },
        errors: ['not_found'],
      }),
    },
  )
  .get(
    '/organizations/:org_id/tokens',
    ({ request, organization, query }) => listed(request, query, (slice) => listOrganizationTokens(sql, organization.id, slice)),
    {
      organization: 'admin',
      ...operation({
        tag,
        id: 'listOrganizationTokens',
        summary: 'The personal tokens that work in an organization alone',
        description: 'Those that were made for it, newest first, with whose they are and without the secret.',
        query: Shape(LIST),
        responses: { 200: Type.Array(OrganizationToken) },
      }),
    },
  )
  .delete(
    '/organizations/:org_id/tokens/:token_id',
    ({ request, caller, organization, params, change }) =>
      change(204, (tx) => revokeOrganizationToken(tx, caller, organization, params.token_id, request)),
    {
      organization: 'admin',
      ...operation({
        tag,
        id: 'revokeOrganizationToken',
        summary: 'Revoke a personal token that works in an organization alone',
        description: 'It stops working at once, and both the audit log and its user’s security log tell of it.',
        responses: { 204: null },
      }),
    },
  )
