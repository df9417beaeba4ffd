import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import {
  createOrganization,
  deleteOrganization,
  getOpenOrganization,
  getOrganization,
  listOrganizations,
  updateOrganization,
} from './organizations.ts'
import { transferOwnership } from './ownership.ts'
import { MyRole, Organization, OrganizationInput, OrganizationSummary, OrganizationUpdate, Transfer } from './schema.ts'

const tag = 'Organizations'

export const organizations = new Elysia({ name: 'organizations', prefix: '/api/v1/organizations' })
  .use(access)
  .get('/', ({ request, caller, query }) => listed(request, query, (slice) => listOrganizations(sql, caller, slice)), {
    signedIn: 'within',
    ...operation({
      tag,
      id: 'listOrganizations',
      summary: 'The organizations that you belong to',
      query: Shape(LIST),
      responses: { 200: Type.Array(OrganizationSummary) },
    }),
  })
  .post(
    '/',
    ({ caller, change, body }) =>
      change(
        201,
        (tx) => createOrganization(tx, caller, body),
        ({ id }) => `/api/v1/organizations/${id}`,
      ),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'createOrganization',
        summary: 'Create an organization',
        description:
          'Anybody who is signed in may; the creator becomes its owner. `slug` and `org_key` are made from the name and stay.',
        body: OrganizationInput,
        responses: { 201: Organization },
      }),
    },
  )
  .get('/:org_id', ({ organization }) => getOrganization(sql, organization.id), {
    organization: 'member',
    ...operation({ tag, id: 'getOrganization', summary: 'An organization', responses: { 200: Organization } }),
  })
  .get('/:org_id/my-role', ({ organization }) => ({ role: organization.role }), {
    organization: 'member',
    ...operation({ tag, id: 'getMyRole', summary: 'Your role in an organization', responses: { 200: MyRole } }),
  })
  .put(
    '/:org_id',
    ({ request, caller, organization, change, body }) =>
      change(200, (tx) => updateOrganization(tx, caller, organization, body, request)),
    {
      organization: 'admin',
      ...operation({
        tag,
        id: 'updateOrganization',
        summary: 'Change an organization',
        description:
          'Changes the fields that are given, and leaves the others; `null` clears. A limit below the count of today is allowed, and only stops growth.',
        body: OrganizationUpdate,
        responses: { 200: Organization },
      }),
    },
  )
  .delete(
    '/:org_id',
    ({ request, caller, organization, change }) => change(204, (tx) => deleteOrganization(tx, caller, organization, request)),
    {
      organization: 'owner',
      ...operation({
        tag,
        id: 'deleteOrganization',
        summary: 'Delete an organization and all that lies in it',
        description:
          'It cannot be undone. Everything in it is 404 at once, what is queued is not carried out, and its name is free; the rows are taken away in the background.',
        responses: { 204: null },
      }),
    },
  )
  .post(
    '/:org_id/transfer-ownership',
    ({ caller, organization, change, body }) =>
      change(200, (tx) => transferOwnership(tx, caller, organization, body.new_owner_id)),
    {
      organization: 'owner',
      ...operation({
        tag,
        id: 'transferOwnership',
        summary: 'Make another member the owner',
        description: 'You become an admin in the same instant: there is one owner, always.',
        body: Transfer,
        responses: { 200: Organization },
        errors: ['not_a_member', 'already_owner'],
      }),
    },
  )
  .get('/:org_id/join', ({ params }) => getOpenOrganization(sql, params.org_id), {
    signedIn: true,
    ...operation({
      tag,
      id: 'previewOrganization',
      summary: 'An organization that anybody may join',
      description: 'Answers 404 where its `registration_mode` is `invite-only`, as if there were no such organization.',
      responses: { 200: OrganizationSummary },
      errors: ['not_found'],
    }),
  })
