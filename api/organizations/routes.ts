import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import {
  createOrganization,
  deleteOrganization,
  getOpenOrganization,
  getOrganization,
  listOrganizations,
  transferOwnership,
  updateOrganization,
} from './organizations.ts'
import { MyRole, Organization, OrganizationInput, OrganizationSummary, OrganizationUpdate, Transfer } from './schema.ts'

export const organizations = new Elysia({ name: 'organizations', prefix: '/api/v1/organizations', tags: ['Organizations'] })
  .use(access)
  .get(
    '/',
    ({ request, caller, query }) => listed(request, query, NEWEST_FIRST, (slice) => listOrganizations(sql, caller, slice)),
    operation('signedIn', 'withRestrictedTokens', {
      id: 'listOrganizations',
      summary: 'List your organizations',
      query: Shape(LIST),
      responses: { 200: Type.Array(OrganizationSummary) },
    }),
  )
  .post(
    '/',
    ({ caller, change, body }) => change(201, (tx) => createOrganization(tx, caller, body), '/api/v1/organizations'),
    operation('signedIn', true, {
      id: 'createOrganization',
      summary: 'Create an organization',
      description:
        'Every signed-in user can create organizations and becomes the owner. `slug` and `org_key` are derived from the name and never change.',
      body: OrganizationInput,
      responses: { 201: Organization },
    }),
  )
  .get(
    '/:org_id',
    ({ organization }) => getOrganization(sql, organization.id),
    operation('organization', 'member', {
      id: 'getOrganization',
      summary: 'Get an organization',
      responses: { 200: Organization },
    }),
  )
  .get(
    '/:org_id/my-role',
    ({ organization }) => ({ role: organization.role }),
    operation('organization', 'member', {
      id: 'getMyRole',
      summary: 'Get your role in an organization',
      responses: { 200: MyRole },
    }),
  )
  .put(
    '/:org_id',
    ({ request, caller, organization, change, body }) =>
      change(200, (tx) => updateOrganization(tx, caller, organization, body, request)),
    operation('organization', 'admin', {
      id: 'updateOrganization',
      summary: 'Update an organization',
      description:
        'Changes only the given fields; `null` clears a field. A limit below the current count is allowed and only prevents growth. Only the owner, who must have a second factor, can set `require_second_factor`.',
      body: OrganizationUpdate,
      responses: { 200: Organization },
      errors: ['person_required', ['second_factor_required', 409]],
    }),
  )
  .delete(
    '/:org_id',
    ({ request, caller, organization, change }) => change(204, (tx) => deleteOrganization(tx, caller, organization, request)),
    operation('organization', 'owner', {
      id: 'deleteOrganization',
      summary: 'Delete an organization and everything in it',
      description:
        'Cannot be undone. Everything in it responds with 404 at once, queued work is discarded, and its slug can be used again. The rows are deleted in the background.',
      responses: { 204: null },
    }),
  )
  .post(
    '/:org_id/transfer-ownership',
    ({ caller, organization, change, body }) =>
      change(200, (tx) => transferOwnership(tx, caller, organization, body.new_owner_id)),
    operation('organization', 'owner', {
      id: 'transferOwnership',
      summary: 'Transfer ownership',
      description:
        'Another member becomes the owner, and you become an admin. If the organization requires a second factor, the new owner must have one.',
      body: Transfer,
      responses: { 200: Organization },
      errors: ['not_a_member', 'already_owner', ['second_factor_required', 409]],
    }),
  )
  .get(
    '/:org_id/join',
    ({ params }) => getOpenOrganization(sql, params.org_id),
    operation('signedIn', true, {
      id: 'previewOrganization',
      summary: 'Preview an open organization',
      description: 'Responds with 404 if `registration_mode` is `invite-only`, as for an unknown organization.',
      responses: { 200: OrganizationSummary },
      errors: ['not_found'],
    }),
  )
