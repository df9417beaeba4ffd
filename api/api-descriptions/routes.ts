import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { answerDescription, putDescription, receiveDescription } from './api-descriptions.ts'
import { ApiDescription } from './schema.ts'

const tag = 'Deliverables'

export const apiDescriptions = new Elysia({ name: 'api-descriptions', prefix: '/api/v1/projects/:project_id/api-description' })
  .use(access)
  .get('/', ({ request, project }) => answerDescription(sql, project, request), {
    project: 'member',
    ...operation({
      tag,
      id: 'getApiDescription',
      summary: "The description of a project's API",
      description: 'The OpenAPI document as it came, with its type; 404 before there is one.',
      responses: { 200: null },
      produces: ['application/json', 'application/yaml'],
    }),
  })
  .put(
    '/',
    async ({ request, caller, project, change }) => {
      const received = await receiveDescription(request)
      return change(200, (tx) => putDescription(tx, caller, project, received, request))
    },
    {
      project: 'member',
      ...operation({
        tag,
        id: 'updateApiDescription',
        summary: "Describe a project's API",
        description:
          'An OpenAPI 3.0 or 3.1 document as it is, of 1 MiB at most, as JSON or YAML: the document `api_docs` is made from it. What is wrong with it is named by pointers into it. References must stay in the document: nothing is fetched. It may be nested 128 deep, and YAML aliases may not make it grow beyond 4 MiB.',
        consumes: ['application/json', 'application/yaml'],
        responses: { 200: ApiDescription },
        errors: ['malformed_encoding'],
      }),
    },
  )
