import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { nfc } from '../../core/values/nfc.ts'
import { Page, pageQuery, Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { listEnvironments, listRollouts } from './environments.ts'
import { Environment, EnvironmentQuery, EnvironmentRollout } from './schema.ts'

const tag = 'Environments'

export const environments = new Elysia({ name: 'environments', prefix: '/api/v1' })
  .use(access)
  .get('/projects/:project_id/environments', ({ request, project, query }) => listEnvironments(sql, request, project, query), {
    project: 'member',
    ...operation({
      tag,
      id: 'listEnvironments',
      summary: 'List the environments of a project and what runs there',
      description:
        'By name: every environment that a hook with `report_within_seconds` names, or that has a rollout. `current` is the rollout that reported success last, `previous` the one before it, `latest` the one that was reported last, in whatever state. The four figures are those of DORA over the last 30 days; each is null without data.',
      query: EnvironmentQuery,
      responses: { 200: Type.Array(Environment) },
    }),
  })
  .get(
    '/projects/:project_id/environments/:environment/rollouts',
    ({ project, params, query }) => listRollouts(sql, project, nfc(params.environment), query),
    {
      project: 'member',
      ...operation({
        tag,
        id: 'listRollouts',
        summary: 'List the rollouts of an environment',
        description:
          'Newest first, by `at`. An unknown environment returns an empty page. Encode the name in the path, `/` as `%2F`.',
        query: Shape(pageQuery),
        responses: { 200: Page(EnvironmentRollout) },
      }),
    },
  )
