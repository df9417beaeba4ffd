import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { PROOF_ERRORS, proveInSession } from '../auth/recent-sign-in.ts'
import { access } from '../plugins/access.ts'
import { skipIfReplayed } from '../plugins/change.ts'
import { BY_ID, LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { addDomain, listDomains, readDomainRecord, removeDomain, verifyDomain } from './domains.ts'
import { ConnectionInput, DomainInput, Proof, SsoConnection, SsoDomain, SsoIdentity } from './schema.ts'
import { checkProvider, deleteSettings, getSettings, putSettings } from './settings.ts'
import { listIdentities, unlinkPerson } from './unlinking.ts'

/** The owner proves who they are with each change. */
const OWNER_ERRORS = [...PROOF_ERRORS, 'session_required'] as const

export const sso = new Elysia({ name: 'sso', prefix: '/api/v1', tags: ['Single sign-on'] })
  .use(access)
  .get(
    '/organizations/:org_id/sso',
    ({ organization }) => getSettings(sql, organization),
    operation('organization', 'admin', {
      id: 'getSso',
      summary: 'Get the single sign-on of an organization',
      description: '404 before the first PUT. See [Single sign-on](/docs/sso).',
      responses: { 200: SsoConnection },
    }),
  )
  .put(
    '/organizations/:org_id/sso',
    async ({ request, caller, organization, change, body }) => {
      const by = await proveInSession(request, sql, caller, body)
      await checkProvider(sql, organization, body)
      return change(200, (tx) => putSettings(tx, by, organization, body, request))
    },
    operation('organization', 'owner', {
      id: 'putSso',
      summary: 'Set up or change the single sign-on of an organization',
      description:
        'The first request makes the connection, and needs `issuer`, `client_id` and `client_secret`, or `use_instance`. Its discovery document is fetched then. Only the owner, in a session whose sign-in is no older than 10 minutes, or with `current_password` or `assertion`. To require it, the owner must have signed on with it, and have a second factor. If the provider is lost, an owner who has signed in within 10 minutes with a second factor may still read and change this, which is mailed to the admins.',
      body: ConnectionInput,
      responses: { 200: SsoConnection },
      errors: [...OWNER_ERRORS, 'sso_not_tested', ['second_factor_required', 409]],
    }),
  )
  .delete(
    '/organizations/:org_id/sso',
    async ({ request, caller, organization, change, body }) => {
      const by = await proveInSession(request, sql, caller, body)
      return change(204, (tx) => deleteSettings(tx, by, organization, request))
    },
    operation('organization', 'owner', {
      id: 'deleteSso',
      summary: 'Delete the single sign-on of an organization',
      description: 'All people are unlinked, and sessions that it opened end. Members stay. Not while it is required.',
      body: Proof,
      responses: { 204: null },
      errors: [...OWNER_ERRORS, ['sso_required', 409]],
    }),
  )
  .get(
    '/organizations/:org_id/sso/domains',
    ({ request, organization, query }) => listed(request, query, BY_ID, (slice) => listDomains(sql, organization, slice)),
    operation('organization', 'admin', {
      id: 'listSsoDomains',
      summary: 'List the domains of an organization',
      query: Shape(LIST),
      responses: { 200: Type.Array(SsoDomain) },
    }),
  )
  .post(
    '/organizations/:org_id/sso/domains',
    async ({ request, caller, organization, change, body }) => {
      await proveInSession(request, sql, caller, body)
      return change(201, (tx) => addDomain(tx, caller, organization, body.domain))
    },
    operation('organization', 'owner', {
      id: 'addSsoDomain',
      summary: 'Claim a domain',
      description: 'It counts once it is verified: add the TXT `record` to the domain first. Subdomains count apart. At most 10.',
      body: DomainInput,
      responses: { 201: SsoDomain },
      errors: [...OWNER_ERRORS, 'already_exists', 'domain_limit_reached', 'invalid_transition'],
    }),
  )
  .post(
    '/organizations/:org_id/sso/domains/:domain_id/verify',
    async ({ request, caller, organization, params, change, body }) => {
      await proveInSession(request, sql, caller, body)
      const texts = (await skipIfReplayed(request, () => readDomainRecord(organization, params.domain_id))) ?? []
      return change(200, (tx) => verifyDomain(tx, caller, organization, params.domain_id, texts))
    },
    operation('organization', 'owner', {
      id: 'verifySsoDomain',
      summary: 'Verify a domain',
      description:
        'Asks for its TXT record. Verified domains are checked daily: one whose record is missing three times has lapsed. A domain of another organization is taken over if its record is gone.',
      body: Proof,
      responses: { 200: SsoDomain },
      errors: [...OWNER_ERRORS, 'domain_not_proven', 'domain_taken'],
    }),
  )
  .delete(
    '/organizations/:org_id/sso/domains/:domain_id',
    async ({ request, caller, organization, params, change, body }) => {
      await proveInSession(request, sql, caller, body)
      return change(204, (tx) => removeDomain(tx, caller, organization, params.domain_id, request))
    },
    operation('organization', 'owner', {
      id: 'removeSsoDomain',
      summary: 'Remove a domain',
      body: Proof,
      responses: { 204: null },
      errors: [...OWNER_ERRORS],
    }),
  )
  .get(
    '/organizations/:org_id/sso/identities',
    ({ request, organization, query }) => listed(request, query, BY_ID, (slice) => listIdentities(sql, organization, slice)),
    operation('organization', 'admin', {
      id: 'listSsoIdentities',
      summary: 'List the people who are linked to the provider of an organization',
      query: Shape(LIST),
      responses: { 200: Type.Array(SsoIdentity) },
    }),
  )
  .delete(
    '/organizations/:org_id/sso/identities/:identity_id',
    ({ request, caller, organization, params, change }) =>
      change(204, (tx) => unlinkPerson(tx, caller, organization, params.identity_id, request)),
    operation('organization', 'admin', {
      id: 'unlinkSsoIdentity',
      summary: 'Unlink a person from the provider of an organization',
      description: 'Sessions that the provider opened for them end. They stay a member.',
      responses: { 204: null },
    }),
  )
