/** Reads the data for documents: a snapshot of a project, one statement for each subject. */
import { config } from '../../core/platform/config.ts'
import type { Tx } from '../../sql/index.ts'
import * as deployments from './data/deployments.ts'
import * as about from './data/project.ts'
import * as work from './data/work.ts'

export type { DispatchFailure, Environment, FinishedRollout, Hook } from './data/deployments.ts'
export type { Budget, Release } from './data/project.ts'
export type { Comparison, Completion, Execution, Gate, Requirement } from './data/work.ts'

export interface ProjectData {
  as_of: string
  /** The newest datum: "the last 30 days" are the 30 days before it. */
  newest: string
  organization: { id: string; name: string }
  workspace: { id: string; name: string; owner: { name: string; email: string | null } }
  project: about.Project & { id: string }
  /** In the month of the newest datum. */
  budgets: { workspace: about.Budget; organization: about.Budget }
  only: string | null
  requirements: work.Requirement[]
  /** All requirements of the project that are done, oldest first, also if the document is limited to one. */
  completions: work.Completion[]
  /** Of the requirement that the document is limited to; empty for the whole project. */
  history: work.RequirementChange[]
  executions: work.Execution[]
  artifacts: work.Artifact[]
  gates: work.Gate[]
  comparisons: work.Comparison[]
  hooks: deployments.Hook[]
  dispatches: deployments.Dispatch[]
  /** Of the last 30 days. */
  failures: deployments.DispatchFailure[]
  /** Of the last 30 days. */
  rollout_failures: deployments.RolloutFailure[]
  environments: deployments.Environment[]
  /** Reported as succeeded or failed. */
  rollouts: deployments.FinishedRollout[]
  /** Those about which nothing was reported in time. */
  unreported: deployments.FinishedRollout[]
  members: about.Member[]
  releases: about.Release[]
  workflow: string | null
  api_description: { title: string; version: string; document: Record<string, unknown> } | null
}

export const address = (path: string): string => `${config.PUBLIC_URL}/api/v1${path}`

/** Waits for all reads. They are pipelined, because they do not depend on each other. */
async function allOf<Read extends object>(reads: { [Name in keyof Read]: PromiseLike<Read[Name]> }): Promise<Read> {
  const rows = await Promise.all(Object.values<PromiseLike<unknown>>(reads))
  return Object.fromEntries(Object.keys(reads).map((name, index) => [name, rows[index]])) as Read
}

/** @param tx a repeatable read transaction, for a consistent snapshot @returns null if the project or requirement is deleted */
export async function readProject(tx: Tx, scope: about.DocumentScope): Promise<ProjectData | null> {
  const [head] = await about.readHead(tx, scope)
  if (!head) return null
  const { environments, rollouts, members, releases, workflow, description, ...read } = await allOf({
    requirements: work.readRequirements(tx, scope),
    completions: work.readCompletions(tx, scope),
    history: work.readHistory(tx, scope),
    executions: work.readExecutions(tx, scope),
    artifacts: work.readArtifacts(tx, scope),
    gates: work.readGates(tx, scope),
    comparisons: work.readComparisons(tx, scope),
    hooks: deployments.readHooks(tx, scope),
    dispatches: deployments.readDispatches(tx, scope),
    environments: deployments.readEnvironments(tx, scope),
    rollouts: deployments.readRollouts(tx, scope),
    members: about.readMembers(tx, scope),
    releases: about.readReleases(tx, scope),
    workflow: about.readWorkflow(tx, scope),
    description: about.readApiDescription(tx, scope),
  })
  const { requirements, executions, gates, comparisons, dispatches } = read
  if (scope.requirement_id !== null && requirements.length === 0) return null
  const newest = about.newestOf(head.created_at, requirements, executions, gates, comparisons, dispatches, rollouts)
  const [failures, rollout_failures, [budgets]] = await Promise.all([
    deployments.readDispatchFailures(tx, scope, about.daysBefore(newest, 30)),
    deployments.readRolloutFailures(tx, scope, about.daysBefore(newest, 30)),
    about.readBudgets(tx, scope, newest),
  ])
  const none: about.Budget = { limit_usd: null, used_usd: 0 }
  const { as_of, organization_name, workspace_name, owner_name, owner_email, ...project } = head
  const [described] = description
  // The order is that in which the data is hashed.
  return {
    as_of,
    newest,
    organization: { id: scope.organization_id, name: organization_name },
    workspace: { id: scope.workspace_id, name: workspace_name, owner: { name: owner_name, email: owner_email } },
    project: { id: scope.project_id, ...project },
    budgets: budgets ?? { workspace: none, organization: none },
    only: scope.requirement_id,
    ...read,
    failures,
    rollout_failures,
    environments,
    rollouts: rollouts.filter(({ state }) => state !== 'unknown'),
    unreported: rollouts.filter(({ state }) => state === 'unknown'),
    members,
    releases,
    workflow: workflow[0]?.template ?? null,
    api_description: described ? { ...described, document: JSON.parse(described.document) } : null,
  }
}
