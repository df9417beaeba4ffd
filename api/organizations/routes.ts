import { Elysia } from 'elysia'
import { sql } from '../../core/database.ts'
import { Shape, Type } from '../../core/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { createOrganization, getOrganization, listOrganizations } from './organizations.ts'
import { MyRole, Organization, OrganizationInput, OrganizationSummary } from './schema.ts'

const tag = 'Organizations'

export const organizations = new Elysia({ name: 'organizations', prefix: '/api/v1/organizations' })
  .use(access)
  .get('/', ({ request, caller, query }) => listed(request, query, (slice) => listOrganizations(sql, caller, slice)), {
    signedIn: 'within',
    ...operation({
      tag,
      summary: 'The organizations that you belong to',
      query: Shape(LIST),
      answers: { 200: Type.Array(OrganizationSummary) },
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
        summary: 'Create an organization',
        description:
          'Anybody who is signed in may; the creator becomes its owner. `slug` and `org_key` are made from the name and stay.',
        body: OrganizationInput,
        answers: { 201: Organization },
      }),
    },
  )
  .get('/:org_id', ({ organization }) => getOrganization(sql, organization.id), {
    organization: 'member',
    ...operation({ tag, summary: 'An organization', answers: { 200: Organization } }),
  })
  .get('/:org_id/my-role', ({ organization }) => ({ role: organization.role }), {
    organization: 'member',
    ...operation({ tag, summary: 'Your role in an organization', answers: { 200: MyRole } }),
  })
