/** What GitHub tells apps of: the bodies of webhooks, each checked against GitHub's description. */
import { installationJson, repositoryNameJson, userJson } from './accounts-json.ts'
import { checkRunJson, checkSuiteJson } from './checks-json.ts'
import { commitJson, wholePullRequestJson } from './commits-json.ts'
import type { Deployment, DeploymentStatus, RunEvents } from './deployments.ts'
import type { Gate, Job } from './jobs.ts'
import type { WorkflowRun } from './runs.ts'
import { deploymentJson, deploymentStatusJson, runJson, workflowJson } from './runs-json.ts'
import type { Schemas } from './shapes.ts'
import type { Webhooks } from './webhooks.ts'
import {
  type App,
  type CheckRun,
  type CheckSuite,
  type Commit,
  type CommitStatus,
  fullNameOf,
  type Installation,
  iso,
  type Person,
  type Repository,
  type World,
} from './world.ts'

/** What every payload has in common is added when it is sent. */
type Body<Name extends keyof Schemas> = Omit<Own<Name>, 'installation'>

/** The same for events about installations, which show them in full. */
type Own<Name extends keyof Schemas> = Omit<Schemas[Name], 'action' | 'repository' | 'organization' | 'enterprise' | 'sender'>

export class Events implements RunEvents {
  constructor(
    private readonly world: World,
    private readonly webhooks: Webhooks,
  ) {}

  run(run: WorkflowRun, action: 'requested' | 'in_progress' | 'completed'): void {
    const { repository } = run.plan
    const shown = { workflow: workflowJson(this.world, run), workflow_run: runJson(this.world, run) }
    // The description says that a completed run has a conclusion; others have none yet.
    const body = shown as Body<'webhook-workflow-run-completed'>
    this.webhooks.emit({ event: 'workflow_run', action, body, repository, sender: run.triggeringActor })
  }

  deployment(deployment: Deployment, repository: Repository): void {
    const run = deployment.job?.run
    const body: Body<'webhook-deployment-created'> = {
      deployment: deploymentJson(this.world, repository, deployment),
      workflow: run ? workflowJson(this.world, run) : null,
      workflow_run: run ? runJson(this.world, run) : null,
    }
    this.webhooks.emit({ event: 'deployment', action: 'created', body, repository, sender: deployment.creator })
  }

  deploymentStatus(deployment: Deployment, status: DeploymentStatus, repository: Repository): void {
    const { job } = deployment
    const body: Body<'webhook-deployment-status-created'> = {
      deployment_status: deploymentStatusJson(this.world, repository, deployment, status),
      deployment: deploymentJson(this.world, repository, deployment),
      check_run: job ? checkRunJson(this.world, repository, job.checkRun) : null,
      workflow: job ? workflowJson(this.world, job.run) : null,
      workflow_run: job ? runJson(this.world, job.run) : null,
    }
    this.webhooks.emit({ event: 'deployment_status', action: 'created', body, repository, sender: status.creator })
  }

  gate(job: Job, gate: Gate): void {
    const { run, environment, deployment } = job
    const { repository, event, headSha, headBranch, pulls } = run.plan
    const installation = this.world.installationOf(gate.app, repository)
    const isSubscribed = installation?.events.includes('deployment_protection_rule') && installation.suspendedAt === null
    if (!environment || !installation || !isSubscribed) return
    const body: Body<'webhook-deployment-protection-rule-requested'> = {
      environment: environment.name,
      event,
      sha: headSha,
      ref: headBranch,
      deployment_callback_url: `${this.world.api}/repos/${fullNameOf(repository)}/actions/runs/${run.id}/deployment_protection_rule`,
      deployment: deployment === null ? null : deploymentJson(this.world, repository, deployment),
      pull_requests: pulls
        .filter((pull) => pull.headRepository === repository)
        .map((pull) => wholePullRequestJson(this.world, pull, repository)),
    }
    const sender = run.triggeringActor
    // Only to the app whose rule it is.
    const emission = { event: 'deployment_protection_rule', action: 'requested', body, repository, sender }
    this.webhooks.emit({ ...emission, app: gate.app, installation })
  }

  check(run: CheckRun, action: 'created' | 'completed', repository: Repository): void {
    // The description leaves `waiting` out, though jobs at a rule have it.
    const shown = checkRunJson(this.world, repository, run) as Schemas['webhook-check-run-completed']['check_run']
    const body: Body<'webhook-check-run-completed'> = { check_run: shown }
    this.webhooks.emit({ event: 'check_run', action, body, repository, sender: run.suite.app.bot })
  }

  suite(suite: CheckSuite, repository: Repository): void {
    const shown = checkSuiteJson(this.world, repository, suite) as Schemas['webhook-check-suite-completed']['check_suite']
    const body: Body<'webhook-check-suite-completed'> = { check_suite: shown }
    this.webhooks.emit({ event: 'check_suite', action: 'completed', body, repository, sender: suite.app.bot })
  }

  status(repository: Repository, status: CommitStatus, commit: Commit): void {
    const { id, sha, context, state, description, targetUrl, at } = status
    const shown = commitJson(this.world, repository, commit)
    const branches = [...repository.branches].filter(([, tip]) => tip === sha)
    const body: Body<'webhook-status'> = {
      ...{ id, sha, name: fullNameOf(repository), target_url: targetUrl, context, description, state, commit: shown },
      branches: branches.map(([name]) => ({ name, commit: { sha, url: shown.url }, protected: false })),
      ...{ created_at: iso(at), updated_at: iso(at) },
    }
    this.webhooks.emit({ event: 'status', action: null, body, repository, sender: status.creator })
  }

  repository(
    repository: Repository,
    action: 'created' | 'renamed' | 'transferred' | 'deleted' | 'archived' | 'privatized' | 'publicized',
    sender: Person,
    changes?: object,
  ): void {
    this.webhooks.emit({ event: 'repository', action, body: changes ? { changes } : {}, repository, sender })
  }

  installation(
    installation: Installation,
    action: 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted',
    sender: Person,
  ): void {
    const repositories = this.world.repositoriesOf(installation).map(repositoryNameJson)
    const body: Own<'webhook-installation-created'> = {
      installation: installationJson(this.world, installation),
      ...(action === 'created' ? { requester: null } : {}),
      repositories,
    }
    const { app, account } = installation
    this.webhooks.emit({ event: 'installation', action, body, app, installation, account, sender })
  }

  installationRepositories(installation: Installation, sender: Person, added: Repository[], removed: Repository[]): void {
    const body: Own<'webhook-installation-repositories-added'> = {
      installation: installationJson(this.world, installation),
      repository_selection: installation.selected === null ? 'all' : 'selected',
      repositories_added: added.map(repositoryNameJson),
      repositories_removed: removed.map(repositoryNameJson),
      requester: null,
    }
    const { app, account } = installation
    const action = added.length > 0 ? 'added' : 'removed'
    this.webhooks.emit({ event: 'installation_repositories', action, body, app, installation, account, sender })
  }

  /** The first webhook of an app. It comes before the app can know its secret. */
  ping(app: App): void {
    const { hook, events } = app
    if (!hook) return
    const at = iso(app.createdAt)
    const body: Body<'webhook-ping'> = {
      zen: 'Keep it logically awesome.',
      hook_id: hook.id,
      hook: {
        ...{ type: 'App', id: hook.id, name: 'web', active: hook.isActive, app_id: app.id, events: events as never },
        config: { content_type: 'json', url: hook.url, insecure_ssl: '0' },
        ...{ updated_at: at, created_at: at, deliveries_url: `${this.world.api}/app/hook/deliveries` },
      },
    }
    this.webhooks.emit({ event: 'ping', action: null, body, app, sender: null })
  }

  authorizationRevoked(app: App, person: Person): void {
    this.webhooks.emit({ event: 'github_app_authorization', action: 'revoked', body: {}, app, sender: person })
  }

  targetRenamed(installation: Installation, before: string, sender: Person): void {
    const { account, app } = installation
    const body: Body<'webhook-installation-target-renamed'> = {
      account: userJson(this.world, account),
      changes: { login: { from: before } },
      target_type: account.kind,
    }
    this.webhooks.emit({ event: 'installation_target', action: 'renamed', body, app, installation, account, sender })
  }
}
