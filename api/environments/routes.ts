import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { nfc } from '../../core/values/plain-text.ts'
import { Page, Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listedPage, PAGED_LIST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { BY_REPORT, listEnvironments, listRollouts } from './environments.ts'
import { deletePolicy, getPolicy, updatePolicy } from './policies.ts'
import { Environment, EnvironmentPolicy, EnvironmentPolicyInput, EnvironmentRollout } from './schema.ts'

export const environments = new Elysia({ name: 'environments', prefix: '/api/v1', tags: ['Environments'] })
  .use(access)
  .get(
    '/projects/:project_id/environments',
    ({ request, project, query }) => listEnvironments(sql, request, project, query),
    operation('project', 'member', {
      scopes: ['work:read', 'rollouts:report'],
      id: 'listEnvironments',
      summary: 'List the environments of a project and what runs there',
      description:
        'By chain (`promotes_from`), then by name: every environment that a hook with `report_within_seconds` names, or that has a rollout. `current` is the rollout that reported success last, `previous` the one before it, `latest` the one that was reported last, in whatever state. The four figures are those of DORA over the last 30 days; each is null without data. `candidate` is what may come here next: the subject whose run in the environment before began last.',
      query: Shape(LIST),
      responses: { 200: Type.Array(Environment) },
    }),
  )
  .get(
    '/projects/:project_id/environments/:environment/rollouts',
    async ({ request, project, params, query }) => {
      const { items, ...page } = await listedPage(request, query, BY_REPORT, (asked) =>
        listRollouts(sql, project, nfc(params.environment), asked),
      )
      return { ...page, items: items.map(({ id: _, ...item }) => item) }
    },
    operation('project', 'member', {
      scopes: ['work:read', 'rollouts:report'],
      id: 'listRollouts',
      summary: 'List the rollouts of an environment',
      description:
        'Newest first, by `at`. A rollout that is reported comes first again: a walk that has passed its new place does not see it. An unknown environment returns an empty page. Encode the name in the path, `/` as `%2F`.',
      query: Shape(PAGED_LIST),
      responses: { 200: Page(EnvironmentRollout) },
    }),
  )
  .get(
    '/projects/:project_id/environments/:environment/policy',
    ({ project, params }) => getPolicy(sql, project, params.environment),
    operation('project', 'member', {
      id: 'getEnvironmentPolicy',
      summary: 'Get the policy of an environment',
      description: '404 before the first `PUT`, which makes it. Encode the name in the path, `/` as `%2F`.',
      responses: { 200: EnvironmentPolicy },
    }),
  )
  .put(
    '/projects/:project_id/environments/:environment/policy',
    ({ request, caller, project, params, change, body }) =>
      change(200, (tx) => updatePolicy(tx, caller, project, params.environment, body, request)),
    operation('project', 'admin', {
      id: 'updateEnvironmentPolicy',
      summary: 'Create or update the policy of an environment',
      description:
        'The environment needs no hook yet. Fields that are weaker than the policy of the workspace are refused with `weaker_than_policy`; if the policy of the workspace becomes stricter later, the stricter one counts. With `require_passkey`, `decide_via` must include `api` or `app`: no one could approve otherwise (`not_allowed`).',
      body: EnvironmentPolicyInput,
      responses: { 200: EnvironmentPolicy },
      errors: ['person_required'],
    }),
  )
  .delete(
    '/projects/:project_id/environments/:environment/policy',
    ({ request, caller, project, params, change }) =>
      change(204, (tx) => deletePolicy(tx, caller, project, params.environment, request)),
    operation('project', 'admin', {
      id: 'deleteEnvironmentPolicy',
      summary: 'Delete the policy of an environment',
      description: 'New gates then follow the policy of the workspace alone.',
      responses: { 204: null },
      errors: ['person_required'],
    }),
  )
