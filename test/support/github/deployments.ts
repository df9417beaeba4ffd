/** Deployments, their statuses, and who learns of them. */
import type { Gate, Job } from './jobs.ts'
import type { WorkflowRun } from './runs.ts'
import type { App, CheckRun, CheckSuite, Person, Repository, World } from './world.ts'

export type DeploymentState = 'waiting' | 'queued' | 'pending' | 'in_progress' | 'success' | 'failure' | 'error' | 'inactive'

export interface DeploymentStatus {
  id: number
  state: DeploymentState
  description: string
  environment: string
  environmentUrl: string
  logUrl: string
  creator: Person
  at: number
}

export interface Deployment {
  id: number
  sha: string
  ref: string
  task: string
  environment: string
  description: string | null
  payload: Record<string, unknown> | string
  isTransient: boolean
  isProduction: boolean
  creator: Person
  /** The app that made it; GitHub Actions for those of a job. */
  app: App | null
  job: Job | null
  /** The latest first. */
  statuses: DeploymentStatus[]
  createdAt: number
  updatedAt: number
}

/** What happens to runs; the webhooks listen. */
export interface RunEvents {
  run(run: WorkflowRun, action: 'requested' | 'in_progress' | 'completed'): void
  deployment(deployment: Deployment, repository: Repository): void
  deploymentStatus(deployment: Deployment, status: DeploymentStatus, repository: Repository): void
  gate(job: Job, gate: Gate): void
  check(run: CheckRun, action: 'created' | 'completed', repository: Repository): void
  suite(suite: CheckSuite, repository: Repository): void
}

/** Adds a status; a success makes earlier deployments of the environment inactive, unless it is one of production. */
export function addDeploymentStatus(
  world: World,
  events: RunEvents,
  repository: Repository,
  deployment: Deployment,
  given: Partial<DeploymentStatus> & Pick<DeploymentStatus, 'state' | 'creator'>,
): DeploymentStatus {
  const at = world.clock.now()
  const base = { id: world.nextId(), description: '', environment: deployment.environment, environmentUrl: '', logUrl: '', at }
  const status = { ...base, ...given }
  deployment.statuses.unshift(status)
  deployment.updatedAt = at
  // "Adds a new inactive status to all prior non-transient, non-production environment deployments".
  const isPrior = (each: Deployment) =>
    each !== deployment && each.environment === deployment.environment && each.createdAt <= deployment.createdAt
  if (status.state === 'success')
    for (const each of repository.deployments.filter(isPrior))
      if (!each.isTransient && !each.isProduction && each.statuses[0]?.state !== 'inactive')
        each.statuses.unshift({ ...base, id: world.nextId(), state: 'inactive', creator: status.creator })
  // "A webhook event is not fired for deployment statuses with an inactive state."
  if (status.state !== 'inactive') events.deploymentStatus(deployment, status, repository)
  return status
}
