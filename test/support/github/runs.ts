/** Workflow runs: jobs that wait at the protection rules of an environment, and the deployments that they make. */
import { addDeploymentStatus, type DeploymentState, type RunEvents } from './deployments.ts'
import type { Conclusion, Gate, Job, JobPlan } from './jobs.ts'
import { gateProblems } from './problems.ts'
import type { App, CheckRun, CheckSuite, Environment, Person, PullRequest, Repository, World } from './world.ts'

export interface RunPlan {
  repository: Repository
  workflow: { id: number; name: string; path: string }
  event: string
  headRepository: Repository
  headBranch: string
  headSha: string
  actor: Person
  pulls: PullRequest[]
  jobs: JobPlan[]
  /** Whether jobs with an environment make deployments (`deployment: false` in a workflow leaves them out). */
  makesDeployments: boolean
  /** GitHub Actions. */
  actions: App
  number: number
}

/** A job fails that waited so long. */
const PATIENCE_MS = 30 * 86_400_000
const REPORTS = 10
const COMMENT_LENGTH = 1024

export class WorkflowRun {
  readonly id: number
  attempt = 1
  status: 'queued' | 'waiting' | 'in_progress' | 'completed' = 'queued'
  conclusion: Conclusion | null = null
  /** Those of all attempts; `current` has those of the latest. */
  readonly jobs: Job[] = []
  readonly suite: CheckSuite
  readonly createdAt: number
  startedAt: number
  updatedAt: number
  triggeringActor: Person

  constructor(
    private readonly world: World,
    private readonly events: RunEvents,
    readonly plan: RunPlan,
  ) {
    this.id = world.nextId()
    const at = world.clock.now()
    this.createdAt = at
    this.startedAt = at
    this.updatedAt = at
    this.triggeringActor = plan.actor
    const { headSha, headBranch, actions } = plan
    this.suite = { id: world.nextId(), app: actions, headSha, headBranch, runs: [], createdAt: at, updatedAt: at }
  }

  get current(): Job[] {
    return this.jobs.filter(({ attempt }) => attempt === this.attempt)
  }

  /** The jobs of an environment in the latest attempt. Names of environments are not case sensitive. */
  jobsOf = (environment: string): Job[] =>
    this.current.filter((job) => job.environment?.name.toLowerCase() === environment.toLowerCase())

  /** The first job of an environment. @throws Error without one */
  job(environment: string): Job {
    const [job] = this.jobsOf(environment)
    if (!job) throw new Error(`Run ${this.id} has no job for ${environment}`)
    return job
  }

  /** What an environment's first job was answered by an app. */
  gate(environment: string): Gate {
    const [gate] = this.job(environment).gates
    if (!gate) throw new Error(`No app guards ${environment}`)
    return gate
  }

  /** Queues the jobs of an attempt, and starts those that may. */
  begin(): void {
    const { repository, jobs } = this.plan
    for (const { name, environment, needs = [] } of jobs) {
      const found = repository.environments.find((each) => each.name.toLowerCase() === environment?.toLowerCase()) ?? null
      this.jobs.push(this.#makeJob(name ?? environment ?? 'build', needs, found))
    }
    this.events.run(this, 'requested')
    for (const { checkRun } of this.current) this.events.check(checkRun, 'created', repository)
    this.#advance()
  }

  #makeJob(name: string, needs: string[], environment: Environment | null): Job {
    const at = this.world.clock.now()
    const id = this.world.nextId()
    const detailsUrl = `${this.url}/job/${id}`
    const base = { status: 'queued', conclusion: null, summary: null, startedAt: at, completedAt: null } as const
    const checkRun: CheckRun = { id, suite: this.suite, name, detailsUrl, ...base }
    this.suite.runs.push(checkRun)
    const state = { status: 'pending', conclusion: null, gates: [], review: null, deployment: null } as const
    return { id, run: this, attempt: this.attempt, name, needs, environment, checkRun, since: at, ...state, gates: [] }
  }

  get url(): string {
    const { owner, name } = this.plan.repository
    return `${this.world.origin}/${owner.login}/${name}/actions/runs/${this.id}`
  }

  /** Lets jobs reach their environment once those that they need succeeded, and skips those whose needs did not. */
  #advance(): void {
    const needs = ({ needs: names }: Job) =>
      names.map((name) => this.current.find((each) => each.name === name)?.conclusion ?? null)
    const next = () => this.current.find((job) => job.status === 'pending' && needs(job).every((each) => each !== null))
    for (let job = next(); job; job = next()) {
      if (needs(job).every((each) => each === 'success')) this.#reach(job)
      else this.#complete(job, 'skipped')
    }
    this.#settle()
  }

  #reach(job: Job): void {
    const { environment } = job
    if (!environment) {
      this.#start(job)
      return
    }
    if (this.plan.makesDeployments) this.#deploy(job, environment)
    job.since = this.world.clock.now()
    job.gates = environment.rules.map(({ app }) => ({ app, state: 'pending', comment: null, reports: [], answeredAt: null }))
    if (environment.reviewers.length > 0) job.review = { state: 'pending', by: null, comment: '' }
    if (job.gates.length === 0 && !job.review) {
      this.#start(job)
      return
    }
    job.status = 'waiting'
    job.checkRun.status = 'waiting'
    this.#report(job, 'waiting')
    this.#settle()
    for (const gate of job.gates) this.events.gate(job, gate)
  }

  #deploy(job: Job, environment: Environment): void {
    const { repository, headSha, headBranch, actions } = this.plan
    const at = this.world.clock.now()
    const base = {
      task: 'deploy',
      description: null,
      payload: {},
      isTransient: false,
      statuses: [],
      createdAt: at,
      updatedAt: at,
    }
    const isProduction = environment.name === 'production'
    const made = { id: this.world.nextId(), sha: headSha, ref: headBranch, environment: environment.name, isProduction, job }
    job.deployment = { ...base, ...made, creator: actions.bot, app: actions }
    repository.deployments.unshift(job.deployment)
    this.events.deployment(job.deployment, repository)
  }

  /** Adds a status to the deployment of a job. */
  #report({ deployment, id }: Job, state: DeploymentState): void {
    if (!deployment) return
    const logUrl = `${this.url}/job/${id}`
    addDeploymentStatus(this.world, this.events, this.plan.repository, deployment, { state, logUrl, creator: deployment.creator })
  }

  #start(job: Job): void {
    job.status = 'in_progress'
    job.checkRun.status = 'in_progress'
    this.#report(job, 'queued')
    this.#report(job, 'in_progress')
    this.#settle()
  }

  #complete(job: Job, conclusion: Conclusion | 'skipped'): void {
    job.status = 'completed'
    job.conclusion = conclusion
    Object.assign(job.checkRun, { status: 'completed', conclusion, completedAt: this.world.clock.now() })
    if (conclusion !== 'skipped') this.#report(job, conclusion === 'success' ? 'success' : 'failure')
    this.events.check(job.checkRun, 'completed', this.plan.repository)
  }

  /** The status of the run, from those of its jobs. */
  #settle(): void {
    const jobs = this.current
    const [before, isDone] = [this.status, jobs.every(({ status }) => status === 'completed')]
    const has = (wanted: Job['status']) => jobs.some(({ status }) => status === wanted)
    this.status = isDone ? 'completed' : has('in_progress') ? 'in_progress' : has('waiting') ? 'waiting' : 'queued'
    this.updatedAt = this.world.clock.now()
    this.suite.updatedAt = this.updatedAt
    const of = (wanted: Conclusion) => jobs.some(({ conclusion }) => conclusion === wanted)
    this.conclusion = isDone ? (of('failure') ? 'failure' : of('cancelled') ? 'cancelled' : 'success') : null
    if (before !== this.status && this.status === 'in_progress') this.events.run(this, 'in_progress')
    if (before !== this.status && isDone) {
      this.events.run(this, 'completed')
      this.events.suite(this.suite, this.plan.repository)
    }
    this.world.onChange()
  }

  /** Starts or fails the waiting jobs whose rules have all been answered. */
  #decide(jobs: Job[]): void {
    for (const job of jobs.filter(({ status }) => status === 'waiting')) {
      const states = [...job.gates.map(({ state }) => state), ...(job.review ? [job.review.state] : [])]
      if (states.includes('rejected')) this.#complete(job, 'failure')
      else if (!states.includes('pending')) this.#start(job)
    }
    this.#advance()
  }

  /**
   * An app answers its rule, or reports a status.
   *
   * @throws Refusal 422
   */
  review(app: App, environment: string, state: 'approved' | 'rejected' | undefined, comment: string): void {
    const jobs = this.jobsOf(environment)
    const gates = jobs.flatMap((job) => job.gates.filter((gate) => gate.app === app))
    const pending = jobs.filter((job) => job.status === 'waiting' && job.gates.some((gate) => isPending(gate, app)))
    if (gates.length === 0) throw gateProblems.none()
    const isReviewed = gates.some(({ state: each }) => each === 'approved' || each === 'rejected')
    if (pending.length === 0) throw isReviewed ? gateProblems.reviewed() : gateProblems.none()
    if ([...comment].length > COMMENT_LENGTH) throw gateProblems.tooLong()
    const asked = pending.flatMap((job) => job.gates.filter((gate) => isPending(gate, app)))
    if (state === undefined) {
      if (asked.some(({ reports }) => reports.length >= REPORTS)) throw gateProblems.tooManyReports()
      for (const gate of asked) gate.reports.push(comment)
    } else {
      for (const gate of asked) Object.assign(gate, { state, comment, answeredAt: this.world.clock.now() })
      this.#decide(pending)
    }
    this.world.onChange()
  }

  /** A person reviews in GitHub, by its own rule. */
  reviewInGithub(environment: string, by: Person, state: 'approved' | 'rejected', comment = ''): void {
    const jobs = this.jobsOf(environment)
    for (const job of jobs) if (job.review) job.review = { state, by, comment }
    this.#decide(jobs)
  }

  /** An administrator starts waiting jobs without the answers of the apps. */
  bypass(environment: string): void {
    const jobs = this.jobsOf(environment)
    for (const { gates } of jobs) for (const gate of gates) if (gate.state === 'pending') gate.state = 'bypassed'
    for (const job of jobs) job.review = null
    this.#decide(jobs)
  }

  /** The jobs of an environment, or all that run, end. */
  finish(conclusion: Conclusion = 'success', environment?: string): void {
    const jobs = environment === undefined ? this.current : this.jobsOf(environment)
    for (const job of jobs.filter(({ status }) => status === 'in_progress')) this.#complete(job, conclusion)
    this.#advance()
  }

  cancel(): void {
    for (const job of this.current.filter(({ status }) => status !== 'completed')) this.#complete(job, 'cancelled')
    this.#settle()
  }

  /** Runs all jobs once more: the same run, another attempt. */
  rerun(by: Person = this.plan.actor): void {
    if (this.status !== 'completed') throw new Error(`Run ${this.id} is ${this.status}`)
    this.attempt += 1
    this.triggeringActor = by
    this.startedAt = this.world.clock.now()
    Object.assign(this, { status: 'queued', conclusion: null })
    this.begin()
  }

  /** Fails the jobs that waited for 30 days. */
  expire(): void {
    const oldest = this.world.clock.now() - PATIENCE_MS
    for (const job of this.current) if (job.status === 'waiting' && job.since <= oldest) this.#complete(job, 'failure')
    this.#advance()
  }
}

const isPending = (gate: Gate, app: App): boolean => gate.app === app && gate.state === 'pending'
