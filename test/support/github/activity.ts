/** Commits, pull requests, checks, environments and runs, as people and machines make them. */
import { Accounts } from './accounts.ts'
import { type Push, push, resolve } from './commits.ts'
import type { JobPlan } from './jobs.ts'
import { WorkflowRun } from './runs.ts'
import {
  type App,
  type CheckRun,
  type Commit,
  type CommitStatus,
  type Environment,
  fullNameOf,
  type Person,
  type PullRequest,
  type Repository,
} from './world.ts'

/** A check as a test describes it. */
export interface CheckPlan {
  name: string
  sha?: string
  /** By default GitHub Actions. */
  app?: App
  status?: CheckRun['status']
  /** Without one, the check still runs. */
  conclusion?: CheckRun['conclusion']
  summary?: string
}

/** A workflow run as a test describes it. */
export interface RunInput {
  /** The environment of the only job. For more jobs: `jobs`. */
  environment?: string
  jobs?: JobPlan[]
  actor?: Person
  /** The branch, by default the default branch, and its tip. */
  branch?: string
  sha?: string
  event?: string
  workflow?: string
  /** The pull request that triggered it. */
  pull?: PullRequest
  /** `false`: jobs use their environment without making a deployment. */
  deployment?: boolean
}

export class Activity extends Accounts {
  /** Pushes a commit to a branch, by default to the default branch. */
  pushCommit(repository: Repository, given: Partial<Push> = {}): Commit {
    return push(repository, { author: this.someoneOf(repository.owner), at: this.clock.now(), ...given })
  }

  /** Opens a pull request from a branch, of the repository itself or of a fork. */
  openPullRequest(
    repository: Repository,
    { head, from = repository, title = 'Change', author }: { head: string; from?: Repository; title?: string; author?: Person },
  ): PullRequest {
    const [headSha, baseSha] = [from.branches.get(head), repository.branches.get(repository.defaultBranch)]
    if (headSha === undefined || baseSha === undefined) throw new Error(`No branch ${head}`)
    const pull: PullRequest = {
      ...{
        id: this.world.nextId(),
        number: repository.pulls.length + 1,
        title,
        author: author ?? this.someoneOf(from.owner),
        state: 'open',
      },
      ...{ headRepository: from, headBranch: head, headSha, baseBranch: repository.defaultBranch, baseSha },
      ...{ mergeSha: null, createdAt: this.clock.now(), mergedAt: null },
    }
    repository.pulls.push(pull)
    return pull
  }

  /** Merges a pull request by a merge commit. */
  mergePullRequest(repository: Repository, pull: PullRequest, by = this.someoneOf(repository.owner)): Commit {
    const tip = repository.branches.get(pull.baseBranch) ?? pull.baseSha
    const message = `Merge pull request #${pull.number} from ${pull.headRepository.owner.login}/${pull.headBranch}`
    const commit = this.pushCommit(repository, {
      branch: pull.baseBranch,
      message,
      author: by,
      parents: [tip, pull.headSha],
      files: [],
    })
    Object.assign(pull, { state: 'closed', mergeSha: commit.sha, mergedAt: this.clock.now() })
    return commit
  }

  /** A check run; of the same name and app it is a newer one. By default it succeeded. */
  createCheckRun(
    repository: Repository,
    { name, sha, app = this.actions, status, conclusion, summary = '' }: CheckPlan,
  ): CheckRun {
    const commit = this.#commitOf(repository, sha)
    const at = this.clock.now()
    let suite = repository.checkSuites.find((each) => each.app === app && each.headSha === commit.sha)
    if (!suite) {
      const base = { headSha: commit.sha, headBranch: repository.defaultBranch, runs: [], createdAt: at, updatedAt: at }
      suite = { id: this.world.nextId(), app, ...base }
      repository.checkSuites.push(suite)
    }
    const outcome = status === undefined || status === 'completed' ? (conclusion ?? 'success') : null
    const id = this.world.nextId()
    const run: CheckRun = {
      ...{ id, suite, name, status: outcome === null ? (status ?? 'queued') : 'completed', conclusion: outcome },
      ...{ detailsUrl: `https://ci.example.com/${id}`, summary, startedAt: at, completedAt: outcome === null ? null : at },
    }
    suite.runs.push(run)
    this.events.check(run, outcome === null ? 'created' : 'completed', repository)
    return run
  }

  /** A running check ends. */
  completeCheckRun(repository: Repository, run: CheckRun, conclusion: NonNullable<CheckRun['conclusion']> = 'success'): void {
    Object.assign(run, { status: 'completed', conclusion, completedAt: this.clock.now() })
    this.events.check(run, 'completed', repository)
    if (run.suite.runs.every(({ status }) => status === 'completed')) this.events.suite(run.suite, repository)
  }

  createStatus(
    repository: Repository,
    {
      context,
      state = 'success',
      sha,
      description = null,
      by,
    }: { context: string; state?: CommitStatus['state']; sha?: string; description?: string | null; by?: Person },
  ): CommitStatus {
    const commit = this.#commitOf(repository, sha)
    const creator = by ?? this.someoneOf(repository.owner)
    const status = {
      id: this.world.nextId(),
      sha: commit.sha,
      state,
      context,
      description,
      targetUrl: null,
      creator,
      at: this.clock.now(),
    }
    repository.statuses.push(status)
    this.events.status(repository, status, commit)
    return status
  }

  #commitOf(repository: Repository, sha: string | undefined): Commit {
    const ref = sha ?? repository.defaultBranch
    const commit = resolve(repository, ref)
    if (!commit) throw new Error(`No commit ${ref} in ${fullNameOf(repository)}`)
    return commit
  }

  createEnvironment(repository: Repository, name: string, { reviewers = [] }: { reviewers?: Person[] } = {}): Environment {
    const environment: Environment = { id: this.world.nextId(), name, rules: [], reviewers, createdAt: this.clock.now() }
    repository.environments.push(environment)
    return environment
  }

  /** Makes an app guard an environment, which is created if need be. */
  protect(repository: Repository, name: string, app: App): Environment {
    const installation = this.world.installationOf(app, repository)
    if (!installation?.events.includes('deployment_protection_rule'))
      throw new Error(
        `${app.name} is not installed on ${fullNameOf(repository)}, or not subscribed to deployment_protection_rule`,
      )
    const found = repository.environments.find((each) => each.name.toLowerCase() === name.toLowerCase())
    const environment = found ?? this.createEnvironment(repository, name)
    if (!environment.rules.some((rule) => rule.app === app)) environment.rules.push({ id: this.world.nextId(), app })
    return environment
  }

  /** Starts a workflow run. A job whose environment is guarded waits. */
  startRun(repository: Repository, input: RunInput = {}): WorkflowRun {
    const { environment, jobs, actor, branch, sha, workflow = 'Deploy', pull, deployment = true } = input
    const headBranch = pull?.headBranch ?? branch ?? repository.defaultBranch
    const commit = this.#commitOf(repository, pull?.headSha ?? sha ?? headBranch)
    const plans = jobs ?? [environment === undefined ? {} : { environment }]
    for (const { environment: name } of plans) {
      const isKnown = repository.environments.some((each) => each.name.toLowerCase() === name?.toLowerCase())
      // A workflow that names an environment makes it.
      if (name !== undefined && !isKnown) this.createEnvironment(repository, name)
    }
    const sameWorkflow = repository.runs.filter(({ plan }) => plan.workflow.name === workflow)
    const path = `.github/workflows/${workflow.toLowerCase().replaceAll(' ', '-')}.yml`
    const run = new WorkflowRun(this.world, this.events, {
      ...{ repository, headBranch, headSha: commit.sha, jobs: plans, makesDeployments: deployment, actions: this.actions },
      workflow: sameWorkflow[0]?.plan.workflow ?? { id: this.world.nextId(), name: workflow, path },
      event: input.event ?? (pull ? 'pull_request' : 'push'),
      headRepository: pull?.headRepository ?? repository,
      actor: actor ?? pull?.author ?? this.someoneOf(repository.owner),
      pulls: pull ? [pull] : [],
      number: sameWorkflow.length + 1,
    })
    repository.runs.push(run)
    run.begin()
    return run
  }
}
