/** Workflow runs, the review of a custom deployment protection rule, deployments and their statuses. */
import { userJson } from './accounts-json.ts'
import { resolve } from './commits.ts'
import { addDeploymentStatus, type Deployment } from './deployments.ts'
import { notFound, Refusal, unprocessable } from './problems.ts'
import { type Api, type Call, paged } from './routing.ts'
import type { WorkflowRun } from './runs.ts'
import { approvalJson, deploymentJson, deploymentStatusJson, jobJson, pendingDeploymentJson, runJson } from './runs-json.ts'
import type { Repository } from './world.ts'

/** @throws Refusal 404 */
function runOf({ runs }: Repository, { run_id: id }: Record<string, string>): WorkflowRun {
  const found = runs.find((each) => String(each.id) === id)
  if (!found) throw notFound()
  return found
}

/** @throws Refusal 404 */
function deploymentOf({ deployments }: Repository, { deployment_id: id }: Record<string, string>): Deployment {
  const found = deployments.find((each) => String(each.id) === id)
  if (!found) throw notFound()
  return found
}

/** The account that a caller acts as. */
function actorOf({ caller }: Pick<Call, 'caller'>) {
  if (caller.kind === 'installation') return { creator: caller.installation.app.bot, app: caller.installation.app }
  if (caller.kind === 'user') return { creator: caller.person, app: caller.app }
  throw notFound()
}

const STATES = ['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success'] as const
const optional = { required: false } as const

export const runsApi = {
  '/repos/{owner}/{repo}/actions/runs/{run_id}': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, parameters }) => ({ status: 200, body: runJson(world, runOf(repository, parameters)) }),
    },
  },
  '/repos/{owner}/{repo}/actions/runs/{run_id}/jobs': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        const run = runOf(repository, parameters)
        const all = call.query.get('filter') === 'all' ? run.jobs : run.current
        const { items, headers } = paged(call, all)
        return { status: 200, body: { total_count: all.length, jobs: items.map((job) => jobJson(world, job)) }, headers }
      },
    },
  },
  '/repos/{owner}/{repo}/actions/runs/{run_id}/approvals': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, parameters }) => {
        const body = runOf(repository, parameters).jobs.flatMap((job) => {
          const shown = (state: string, comment: string | null, user: Parameters<typeof userJson>[1] | null) =>
            user && (state === 'approved' || state === 'rejected')
              ? [approvalJson(world, job, { state, comment: comment ?? '', user: userJson(world, user) })]
              : []
          const reviewed = job.review ? shown(job.review.state, job.review.comment, job.review.by) : []
          return [...reviewed, ...job.gates.flatMap(({ state, comment, app }) => shown(state, comment, app.bot))]
        })
        return { status: 200, body }
      },
    },
  },
  '/repos/{owner}/{repo}/actions/runs/{run_id}/pending_deployments': {
    get: {
      by: 'repository',
      needs: { actions: 'read' },
      answer: ({ world, repository, parameters }) => {
        const run = runOf(repository, parameters)
        const waiting = new Set(
          run.current.flatMap(({ status, environment }) => (status === 'waiting' && environment ? [environment] : [])),
        )
        return { status: 200, body: [...waiting].map((environment) => pendingDeploymentJson(world, run, environment)) }
      },
    },
  },
  '/repos/{owner}/{repo}/actions/runs/{run_id}/deployment_protection_rule': {
    post: {
      by: 'repository',
      needs: { deployments: 'write' },
      isAppOnly: true,
      takes: {
        environment_name: { type: 'string', required: true },
        state: { type: 'string', enum: ['approved', 'rejected'], ...optional },
        comment: { type: 'string', ...optional },
      },
      answer: ({ repository, parameters, body, caller }) => {
        const run = runOf(repository, parameters)
        const { environment_name: name, comment } = body
        const state = 'state' in body ? body.state : undefined
        if (state === undefined && comment === undefined)
          throw unprocessable(
            'Invalid request.\n\nNo subschema in "anyOf" matched.\n"comment" wasn\'t supplied.\n"state" wasn\'t supplied.',
          )
        if (caller.kind !== 'installation') throw notFound()
        run.review(caller.installation.app, name, state, comment ?? '')
        return { status: 204, body: undefined }
      },
    },
  },
  '/repos/{owner}/{repo}/deployments': {
    get: {
      by: 'repository',
      needs: { deployments: 'read' },
      answer: ({ world, repository, ...call }) => {
        const fits = (name: 'sha' | 'ref' | 'task' | 'environment') => (deployment: Deployment) =>
          ['none', null].includes(call.query.get(name)) || deployment[name] === call.query.get(name)
        const all = repository.deployments.filter((each) =>
          (['sha', 'ref', 'task', 'environment'] as const).every((name) => fits(name)(each)),
        )
        const { items, headers } = paged(call, all)
        return { status: 200, body: items.map((each) => deploymentJson(world, repository, each)), headers }
      },
    },
    post: {
      by: 'repository',
      needs: { deployments: 'write' },
      takes: {
        ref: { type: 'string', required: true },
        task: { type: 'string', ...optional },
        auto_merge: { type: 'boolean', ...optional },
        required_contexts: { type: 'array', items: { type: 'string' }, nullable: true, ...optional },
        payload: { type: 'any', ...optional },
        environment: { type: 'string', ...optional },
        description: { type: 'string', nullable: true, ...optional },
        transient_environment: { type: 'boolean', ...optional },
        production_environment: { type: 'boolean', ...optional },
      },
      answer: ({ repository, body, ...call }) => {
        const { world, events } = call
        const commit = resolve(repository, body.ref)
        if (!commit) throw unprocessable(`No ref found for: ${body.ref}`)
        const failed = repository.statuses.filter(({ sha, state }) => sha === commit.sha && state !== 'success')
        if (failed.length > 0 && body.required_contexts?.length !== 0)
          throw new Refusal(409, `Conflict: Commit status checks failed for ${body.ref}.`)
        const at = world.clock.now()
        const environment = body.environment ?? 'production'
        const deployment: Deployment = {
          ...{ id: world.nextId(), sha: commit.sha, ref: body.ref, task: body.task ?? 'deploy', environment },
          ...{ description: body.description ?? null, payload: body.payload ?? {}, statuses: [], job: null },
          isTransient: body.transient_environment ?? false,
          isProduction: body.production_environment ?? environment === 'production',
          ...actorOf(call),
          ...{ createdAt: at, updatedAt: at },
        }
        repository.deployments.unshift(deployment)
        events.deployment(deployment, repository)
        return { status: 201, body: deploymentJson(world, repository, deployment) }
      },
    },
  },
  '/repos/{owner}/{repo}/deployments/{deployment_id}': {
    get: {
      by: 'repository',
      needs: { deployments: 'read' },
      answer: ({ world, repository, parameters }) => {
        const deployment = deploymentOf(repository, parameters)
        return { status: 200, body: deploymentJson(world, repository, deployment) }
      },
    },
  },
  '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses': {
    get: {
      by: 'repository',
      needs: { deployments: 'read' },
      answer: ({ world, repository, parameters, ...call }) => {
        const deployment = deploymentOf(repository, parameters)
        const { items, headers } = paged(call, deployment.statuses)
        return { status: 200, body: items.map((each) => deploymentStatusJson(world, repository, deployment, each)), headers }
      },
    },
    post: {
      by: 'repository',
      needs: { deployments: 'write' },
      takes: {
        state: { type: 'string', enum: STATES, required: true },
        target_url: { type: 'string', ...optional },
        log_url: { type: 'string', ...optional },
        description: { type: 'string', ...optional },
        environment: { type: 'string', ...optional },
        environment_url: { type: 'string', ...optional },
        auto_inactive: { type: 'boolean', ...optional },
      },
      answer: ({ repository, parameters, body, ...call }) => {
        const { world, events } = call
        const deployment = deploymentOf(repository, parameters)
        const { creator } = actorOf(call)
        const urls = { logUrl: body.log_url ?? body.target_url ?? '', environmentUrl: body.environment_url ?? '' }
        const given = { state: body.state, description: body.description ?? '', ...urls, creator }
        const status = addDeploymentStatus(world, events, repository, deployment, given)
        return { status: 201, body: deploymentStatusJson(world, repository, deployment, status) }
      },
    },
  },
} satisfies Api
