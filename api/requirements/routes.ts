import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Page } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { listedPage, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { createRequirement, deleteRequirement, getRequirement, listRequirements, updateRequirement } from './requirements.ts'
import { Requirement, RequirementInput, RequirementQuery, RequirementUpdate } from './schema.ts'

export const requirements = new Elysia({ name: 'requirements', prefix: '/api/v1', tags: ['Requirements'] })
  .use(access)
  .get(
    '/projects/:project_id/requirements',
    ({ request, project, query }) => listedPage(request, query, NEWEST_FIRST, (page) => listRequirements(sql, project, page)),
    operation('project', 'member', {
      scopes: ['work:read'],
      id: 'listRequirements',
      summary: 'List the requirements of a project',
      query: RequirementQuery,
      responses: { 200: Page(Requirement) },
    }),
  )
  .post(
    '/projects/:project_id/requirements',
    ({ caller, project, change, body }) =>
      change(201, (tx) => createRequirement(tx, caller, project, body), '/api/v1/requirements'),
    operation('project', 'member', {
      id: 'createRequirement',
      summary: 'Create a requirement',
      body: RequirementInput,
      responses: { 201: Requirement },
    }),
  )
  .get(
    '/requirements/:requirement_id',
    ({ requirement }) => getRequirement(sql, requirement),
    operation('requirement', 'member', {
      scopes: ['work:read'],
      id: 'getRequirement',
      summary: 'Get a requirement',
      responses: { 200: Requirement },
    }),
  )
  .put(
    '/requirements/:requirement_id',
    ({ request, caller, requirement, change, body }) =>
      change(200, (tx) => updateRequirement(tx, caller, requirement, body, request)),
    operation('requirement', 'member', {
      id: 'updateRequirement',
      summary: 'Update a requirement',
      description: 'Every change of status is allowed. Each is recorded with its time and author.',
      body: RequirementUpdate,
      responses: { 200: Requirement },
    }),
  )
  .delete(
    '/requirements/:requirement_id',
    ({ request, caller, requirement, change }) => change(204, (tx) => deleteRequirement(tx, caller, requirement, request)),
    operation('requirement', 'admin', {
      id: 'deleteRequirement',
      summary: 'Delete a requirement and its executions',
      responses: { 204: null },
    }),
  )
