/** Workflow runs, environments and deployments as the API and webhooks show them. */
import { appJson, nodeId, repositoryJson, userJson } from './accounts-json.ts'
import { apiOf, minimalPullRequestJson, simpleCommitJson } from './commits-json.ts'
import type { Deployment, DeploymentStatus } from './deployments.ts'
import type { Job } from './jobs.ts'
import type { WorkflowRun } from './runs.ts'
import type { Schemas } from './shapes.ts'
import { type Environment, fullNameOf, iso, type Repository, type World } from './world.ts'

export function runJson(world: World, run: WorkflowRun) {
  const { repository, workflow, event, headRepository, headBranch, headSha, actor, pulls, number } = run.plan
  const url = `${apiOf(world, repository)}/actions/runs/${run.id}`
  const commit = repository.network.get(headSha)
  if (!commit) throw new Error(`No commit ${headSha}`)
  return {
    id: run.id,
    name: workflow.name,
    node_id: nodeId('WorkflowRun', run.id),
    head_branch: headBranch,
    head_sha: headSha,
    path: workflow.path,
    display_title: commit.message.split('\n')[0] ?? '',
    run_number: number,
    event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: workflow.id,
    check_suite_id: run.suite.id,
    check_suite_node_id: nodeId('CheckSuite', run.suite.id),
    url,
    html_url: run.url,
    // Empty for pull requests from forks.
    pull_requests: pulls
      .filter((pull) => pull.headRepository === repository)
      .map((pull) => minimalPullRequestJson(world, pull, repository)),
    created_at: iso(run.createdAt),
    updated_at: iso(run.updatedAt),
    actor: userJson(world, actor),
    run_attempt: run.attempt,
    referenced_workflows: [],
    run_started_at: iso(run.startedAt),
    triggering_actor: userJson(world, run.triggeringActor),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${apiOf(world, repository)}/check-suites/${run.suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt === 1 ? null : `${url}/attempts/${run.attempt - 1}`,
    workflow_url: `${apiOf(world, repository)}/actions/workflows/${workflow.id}`,
    head_commit: simpleCommitJson(commit),
    repository: repositoryJson(world, repository),
    head_repository: repositoryJson(world, headRepository),
  } satisfies Schemas['workflow-run']
}

export function workflowJson(world: World, run: WorkflowRun): Schemas['webhooks_workflow'] {
  const { repository, workflow } = run.plan
  const page = `${world.origin}/${fullNameOf(repository)}`
  return {
    id: workflow.id,
    node_id: nodeId('Workflow', workflow.id),
    name: workflow.name,
    path: workflow.path,
    state: 'active',
    created_at: iso(repository.createdAt),
    updated_at: iso(repository.createdAt),
    url: `${apiOf(world, repository)}/actions/workflows/${workflow.id}`,
    html_url: `${page}/blob/${repository.defaultBranch}/${workflow.path}`,
    badge_url: `${page}/workflows/${encodeURIComponent(workflow.name)}/badge.svg`,
  }
}

const JOB_STATUS = { pending: 'queued', waiting: 'waiting', in_progress: 'in_progress', completed: 'completed' } as const

export function jobJson(world: World, job: Job): Schemas['job'] {
  const { run, id, name, checkRun, attempt, since } = job
  const { repository, workflow, headSha, headBranch } = run.plan
  const api = apiOf(world, repository)
  return {
    id,
    run_id: run.id,
    run_url: `${api}/actions/runs/${run.id}`,
    run_attempt: attempt,
    node_id: nodeId('CheckRun', id),
    head_sha: headSha,
    url: `${api}/actions/jobs/${id}`,
    html_url: `${run.url}/job/${id}`,
    status: JOB_STATUS[job.status],
    conclusion: job.conclusion,
    created_at: iso(since),
    started_at: iso(checkRun.startedAt),
    completed_at: checkRun.completedAt === null ? null : iso(checkRun.completedAt),
    name,
    steps: [],
    check_run_url: `${api}/check-runs/${checkRun.id}`,
    labels: ['ubuntu-latest'],
    runner_id: null,
    runner_name: null,
    runner_group_id: null,
    runner_group_name: null,
    workflow_name: workflow.name,
    head_branch: headBranch,
  }
}

const environmentUrls = (world: World, repository: Repository, { name }: Environment) => ({
  url: `${apiOf(world, repository)}/environments/${encodeURIComponent(name)}`,
  html_url: `${world.origin}/${fullNameOf(repository)}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
})

export function environmentJson(world: World, repository: Repository, environment: Environment): Schemas['environment'] {
  const { id, name, rules, reviewers, createdAt } = environment
  return {
    id,
    node_id: nodeId('Environment', id),
    name,
    ...environmentUrls(world, repository, environment),
    created_at: iso(createdAt),
    updated_at: iso(createdAt),
    protection_rules: [
      ...(reviewers.length === 0
        ? []
        : [
            {
              id: id + 1,
              node_id: nodeId('GateRequiredReviewers', id + 1),
              type: 'required_reviewers',
              prevent_self_review: false,
              reviewers: reviewers.map((reviewer) => ({ type: 'User' as const, reviewer: userJson(world, reviewer) })),
            },
          ]),
      // Custom rules are listed here by their type alone.
      ...rules.map((rule) => ({ id: rule.id, node_id: nodeId('Gate', rule.id), type: 'custom' })),
    ],
    deployment_branch_policy: null,
  }
}

export function ruleJson(world: World, { id, app }: Environment['rules'][number]): Schemas['deployment-protection-rule'] {
  const integration = `${world.api}/apps/${app.slug}`
  const shown = { id: app.id, slug: app.slug, integration_url: integration, node_id: nodeId('Integration', app.id) }
  return { id, node_id: nodeId('Gate', id), enabled: true, app: shown }
}

export function pendingDeploymentJson(world: World, run: WorkflowRun, environment: Environment): Schemas['pending-deployment'] {
  const { repository } = run.plan
  const { id, name, reviewers } = environment
  return {
    environment: { id, node_id: nodeId('Environment', id), name, ...environmentUrls(world, repository, environment) },
    wait_timer: 0,
    wait_timer_started_at: null,
    current_user_can_approve: false,
    reviewers: reviewers.map((reviewer) => ({ type: 'User' as const, reviewer: userJson(world, reviewer) })),
  }
}

/** One answer that a run was given, by an app or a person. */
export function approvalJson(
  world: World,
  { run, environment }: Job,
  answer: { state: 'approved' | 'rejected'; comment: string; user: Schemas['simple-user'] },
): Schemas['environment-approvals'] {
  if (!environment) throw new Error('A job without an environment was answered')
  const { id, name, createdAt } = environment
  const times = { created_at: iso(createdAt), updated_at: iso(createdAt) }
  const urls = environmentUrls(world, run.plan.repository, environment)
  return { environments: [{ id, node_id: nodeId('Environment', id), name, ...urls, ...times }], ...answer }
}

export function deploymentJson(world: World, repository: Repository, deployment: Deployment) {
  const { id, sha, ref, task, environment, description, payload, creator, app, isTransient, isProduction } = deployment
  const url = `${apiOf(world, repository)}/deployments/${id}`
  return {
    url,
    id,
    node_id: nodeId('Deployment', id),
    task,
    original_environment: environment,
    environment,
    description,
    created_at: iso(deployment.createdAt),
    updated_at: iso(deployment.updatedAt),
    statuses_url: `${url}/statuses`,
    repository_url: apiOf(world, repository),
    creator: userJson(world, creator),
    sha,
    ref,
    payload: payload as Record<string, never>,
    transient_environment: isTransient,
    production_environment: isProduction,
    performed_via_github_app: app === null ? null : appJson(world, app),
  } satisfies Schemas['deployment']
}

export function deploymentStatusJson(world: World, repository: Repository, deployment: Deployment, status: DeploymentStatus) {
  const { id, state, description, environment, environmentUrl, logUrl, creator, at } = status
  const url = `${apiOf(world, repository)}/deployments/${deployment.id}`
  return {
    url: `${url}/statuses/${id}`,
    id,
    node_id: nodeId('DeploymentStatus', id),
    // The reference leaves `waiting` out, though GitHub sets it while a job waits at its rules.
    state: state as Schemas['deployment-status']['state'],
    creator: userJson(world, creator),
    description,
    environment,
    target_url: logUrl,
    created_at: iso(at),
    updated_at: iso(at),
    deployment_url: url,
    repository_url: apiOf(world, repository),
    environment_url: environmentUrl,
    log_url: logUrl,
    performed_via_github_app: deployment.app === null ? null : appJson(world, deployment.app),
  } satisfies Schemas['deployment-status']
}
