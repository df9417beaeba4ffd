import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { BY_ID, LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { createKey, listKeys, MAX_KEYS, revokeKey } from './keys.ts'
import {
  KeyInput,
  NewServiceAccountKey,
  ServiceAccount,
  ServiceAccountInput,
  ServiceAccountKey,
  ServiceAccountUpdate,
} from './schema.ts'
import {
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  MAX_SERVICE_ACCOUNTS,
  updateServiceAccount,
} from './service-accounts.ts'

export const serviceAccounts = new Elysia({ name: 'service-accounts', prefix: '/api/v1', tags: ['Service accounts'] })
  .use(access)
  .get(
    '/organizations/:org_id/service-accounts',
    ({ request, organization, query }) =>
      listed(request, query, NEWEST_FIRST, (slice) => listServiceAccounts(sql, organization.id, slice)),
    operation('organization', 'admin', {
      id: 'listServiceAccounts',
      summary: 'List the service accounts of an organization',
      query: Shape(LIST),
      responses: { 200: Type.Array(ServiceAccount) },
    }),
  )
  .post(
    '/organizations/:org_id/service-accounts',
    ({ caller, organization, change, body }) =>
      change(201, (tx) => createServiceAccount(tx, caller, organization, body), '/api/v1/service-accounts'),
    operation('organization', 'admin', {
      id: 'createServiceAccount',
      summary: 'Create a service account',
      description: `A service account is the identity of a program, such as a build or an agent. It works in the organization, in one workspace or in one project, does there what its scopes allow, and is the actor of that: what it opened or started is no person's own. Anything else is refused: 403 \`insufficient_scope\` without the scope, 404 outside its place. No scope decides a gate, reads or writes secrets, or changes people, roles, hooks, channels, policies, budgets or service accounts. An organization has at most ${MAX_SERVICE_ACCOUNTS}.`,
      body: ServiceAccountInput,
      responses: { 201: ServiceAccount },
      confidential: [201],
      errors: ['service_account_limit_reached'],
    }),
  )
  .get(
    '/service-accounts/:service_account_id',
    ({ account }) => getServiceAccount(sql, account),
    operation('service_account', 'admin', {
      id: 'getServiceAccount',
      summary: 'Get a service account',
      responses: { 200: ServiceAccount },
    }),
  )
  .put(
    '/service-accounts/:service_account_id',
    ({ request, caller, account, change, body }) => change(200, (tx) => updateServiceAccount(tx, caller, account, body, request)),
    operation('service_account', 'admin', {
      id: 'updateServiceAccount',
      summary: 'Update a service account',
      description:
        'What changes counts from the next request on, also for tokens that were issued before: with `enabled: false` the keys and tokens of the account are refused.',
      body: ServiceAccountUpdate,
      responses: { 200: ServiceAccount },
    }),
  )
  .delete(
    '/service-accounts/:service_account_id',
    ({ request, caller, account, change }) => change(204, (tx) => deleteServiceAccount(tx, caller, account, request)),
    operation('service_account', 'admin', {
      id: 'deleteServiceAccount',
      summary: 'Delete a service account',
      description: 'Its keys and tokens are refused from the next request on. Records still show its id and name.',
      responses: { 204: null },
    }),
  )
  .get(
    '/service-accounts/:service_account_id/keys',
    async ({ request, account, query }) => {
      // A deleted account has no keys, and is not found.
      await getServiceAccount(sql, account)
      return listed(request, query, BY_ID, (slice) => listKeys(sql, account, slice))
    },
    operation('service_account', 'admin', {
      id: 'listServiceAccountKeys',
      summary: 'List the keys of a service account',
      description: 'Newest first, without the keys themselves.',
      query: Shape(LIST),
      responses: { 200: Type.Array(ServiceAccountKey) },
    }),
  )
  .post(
    '/service-accounts/:service_account_id/keys',
    ({ caller, account, change, body }) => change(201, (tx) => createKey(tx, caller, account, body)),
    operation('service_account', 'admin', {
      id: 'createServiceAccountKey',
      summary: 'Create a key of a service account',
      description: `A key is a bearer token for the API. Only this response contains \`key\`. Where the platform of a build can vouch for it, a trust needs no key. An account has at most ${MAX_KEYS} keys; those that have expired do not count, and are deleted with the next new one.`,
      body: KeyInput,
      responses: { 201: NewServiceAccountKey },
      confidential: [201],
      errors: ['key_limit_reached'],
    }),
  )
  .delete(
    '/service-accounts/:service_account_id/keys/:key_id',
    ({ request, caller, account, params, change }) => change(204, (tx) => revokeKey(tx, caller, account, params.key_id, request)),
    operation('service_account', 'admin', {
      id: 'revokeServiceAccountKey',
      summary: 'Revoke a key of a service account',
      description: 'It stops working at once, and so do the access tokens that were given for it.',
      responses: { 204: null },
    }),
  )
