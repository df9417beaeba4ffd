import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { ApiDescription, putDescription, receiveDescription, respondWithDescription } from './api-descriptions.ts'

export const apiDescriptions = new Elysia({
  name: 'api-descriptions',
  prefix: '/api/v1/projects/:project_id/api-description',
  tags: ['Deliverables'],
})
  .use(access)
  .get(
    '/',
    ({ request, project }) => respondWithDescription(sql, project, request),
    operation('project', 'member', {
      scopes: ['work:read'],
      id: 'getApiDescription',
      summary: 'Get the API description of a project',
      description: 'The OpenAPI document in its original form and media type; 404 if there is none.',
      responses: { 200: null },
      produces: ['application/json', 'application/yaml'],
    }),
  )
  .put(
    '/',
    async ({ request, caller, project, change }) => {
      const received = await receiveDescription(request)
      return change(200, (tx) => putDescription(tx, caller, project, received, request))
    },
    operation('project', 'member', {
      id: 'updateApiDescription',
      summary: 'Set the API description of a project',
      description:
        'The body is an OpenAPI 3.0 or 3.1 document in JSON or YAML, at most 1 MiB. The deliverable `api_docs` is generated from it. Errors contain pointers into the document. References to other documents are rejected. Maximum nesting: 128 levels; at most 100,000 values; maximum size after expanding YAML aliases: 4 MiB; at most 10 seconds to check it.',
      consumes: ['application/json', 'application/yaml'],
      responses: { 200: ApiDescription },
      errors: ['malformed_encoding', 'too_busy'],
    }),
  )
