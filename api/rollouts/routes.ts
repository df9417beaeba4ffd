import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Page, pageQuery, Shape, Type } from '../../core/values/schema.ts'
import { Dispatch } from '../deployment-hooks/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { listEnvironments, listRollouts } from './environments.ts'
import { reportRollout } from './report.ts'
import { Environment, EnvironmentQuery, EnvironmentRollout, ReportInput } from './schema.ts'

const tag = 'Rollouts'

export const rollouts = new Elysia({ name: 'rollouts', prefix: '/api/v1' })
  .use(access)
  .post(
    '/dispatches/:dispatch_id/report',
    ({ reporter, dispatch, change, body }) => change(200, (tx) => reportRollout(tx, reporter, dispatch, body)),
    {
      reportedDispatch: 'member',
      ...operation({
        tag,
        id: 'reportRollout',
        summary: 'Report what became of a dispatch',
        description:
          'For dispatches of hooks with `report_within_seconds`. The bearer token is that of a user, or the `X-Signalbox-Report-Token` that the receiver got, which is good for this request alone, until 7 days after `deadline_at`; while there is no deadline, until 7 days after the dispatch was made. With it, `Idempotency-Key` is ignored.\n\nThe first `succeeded` or `failed` stands: the same again returns 200 and changes nothing, anything else is rejected. `in_progress` may be repeated; each moves `deadline_at`. A rollout that is `unknown` takes any report. A report may arrive before the delivery is recorded. A dispatch that was never delivered keeps the state `awaiting` without a deadline, and still takes reports. Every redelivery is a dispatch with a rollout and a token of its own.',
        body: ReportInput,
        responses: { 200: Dispatch },
        errors: ['invalid_transition'],
      }),
    },
  )
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
    ({ project, params, query }) => listRollouts(sql, project, params.environment, query),
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
