import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { BY_ID, LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { createTrust, deleteTrust, listTrusts, MAX_TRUSTS, Trust, TrustInput, TrustUpdate, updateTrust } from './trusts.ts'

export const trusts = new Elysia({ name: 'trusts', prefix: '/api/v1', tags: ['Service accounts'] })
  .use(access)
  .get(
    '/service-accounts/:service_account_id/trusts',
    ({ request, account, query }) => listed(request, query, BY_ID, (slice) => listTrusts(sql, account, slice)),
    operation('service_account', 'admin', {
      id: 'listTrusts',
      summary: 'List the trusts of a service account',
      description: 'Newest first.',
      query: Shape(LIST),
      responses: { 200: Type.Array(Trust) },
    }),
  )
  .post(
    '/service-accounts/:service_account_id/trusts',
    ({ caller, account, change, body }) => change(201, (tx) => createTrust(tx, caller, account, body)),
    operation('service_account', 'admin', {
      id: 'createTrust',
      summary: 'Let a service account sign in with tokens of a CI system',
      description: `A token of the issuer signs in as the account at \`/oauth/token\` if it has one of the listed values of every claim. Claims must name who has the token: for GitHub \`repository_id\` and one of \`ref\`, \`environment\` and \`job_workflow_ref\`; for gitlab.com \`project_id\` and one of \`ref\`, \`ref_protected\` and \`environment\`; for others \`sub\`, or at least two other claims. The names of repositories and projects can be taken over by others, their ids cannot. An account has at most ${MAX_TRUSTS} trusts. See [Machines](/docs/machines).`,
      body: TrustInput,
      responses: { 201: Trust },
      confidential: [201],
      errors: ['trust_limit_reached'],
    }),
  )
  .put(
    '/service-accounts/:service_account_id/trusts/:trust_id',
    ({ request, caller, account, params, change, body }) =>
      change(200, (tx) => updateTrust(tx, caller, account, params.trust_id, body, request)),
    operation('service_account', 'admin', {
      id: 'updateTrust',
      summary: 'Update a trust',
      description: 'Counts for the next sign-in. Access tokens that were given before work until they expire.',
      body: TrustUpdate,
      responses: { 200: Trust },
    }),
  )
  .delete(
    '/service-accounts/:service_account_id/trusts/:trust_id',
    ({ request, caller, account, params, change }) =>
      change(204, (tx) => deleteTrust(tx, caller, account, params.trust_id, request)),
    operation('service_account', 'admin', {
      id: 'deleteTrust',
      summary: 'Delete a trust',
      description: 'The access tokens that were given for it stop working at once.',
      responses: { 204: null },
    }),
  )
