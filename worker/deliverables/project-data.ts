/** Reads the data for documents: a snapshot of a project, one statement for each subject. */

import { config } from '../../core/platform/config.ts'
import type { VersionScheme } from '../../core/records/deliverables.ts'
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
  project: {
    id: string
    name: string
    description: string | null
    repository_url: string | null
    support: string | null
    version_scheme: VersionScheme
    created_at: string
  }
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

/** @param tx a repeatable read transaction, for a consistent snapshot @returns null if the project or requirement is deleted */
export async function readProject(tx: Tx, scope: about.DocumentScope): Promise<ProjectData | null> {
  const [head] = await about.readHead(tx, scope)
  if (!head) return null
  // Pipelined, because these statements do not depend on each other.
  const [
    requirements,
    completions,
    history,
    executions,
    artifacts,
    gates,
    comparisons,
    hooks,
    dispatches,
    environments,
    rollouts,
    members,
    releases,
    [workflow],
    [description],
  ] = await Promise.all([
    work.readRequirements(tx, scope),
    work.readCompletions(tx, scope),
    work.readHistory(tx, scope),
    work.readExecutions(tx, scope),
    work.readArtifacts(tx, scope),
    work.readGates(tx, scope),
    work.readComparisons(tx, scope),
    deployments.readHooks(tx, scope),
    deployments.readDispatches(tx, scope),
    deployments.readEnvironments(tx, scope),
    deployments.readRollouts(tx, scope),
    about.readMembers(tx, scope),
    about.readReleases(tx, scope),
    about.readWorkflow(tx, scope),
    about.readApiDescription(tx, scope),
  ])
  if (scope.requirement_id !== null && requirements.length === 0) return null
  const newest = about.newestOf(head.created_at, requirements, executions, gates, comparisons, dispatches, rollouts)
  const [failures, rollout_failures, [budgets]] = await Promise.all([
    deployments.readDispatchFailures(tx, scope, about.daysBefore(newest, 30)),
    deployments.readRolloutFailures(tx, scope, about.daysBefore(newest, 30)),
    about.readBudgets(tx, scope, newest),
  ])
  const none: about.Budget = { limit_usd: null, used_usd: 0 }
  return {
    as_of: head.as_of,
    newest,
    organization: { id: scope.organization_id, name: head.organization_name },
    workspace: { id: scope.workspace_id, name: head.workspace_name, owner: { name: head.owner_name, email: head.owner_email } },
    project: {
      id: scope.project_id,
      name: head.name,
      description: head.description,
      repository_url: head.repository_url,
      support: head.support,
      version_scheme: head.version_scheme,
      created_at: head.created_at,
    },
    budgets: budgets ?? { workspace: none, organization: none },
    only: scope.requirement_id,
    requirements,
    completions,
    history,
    executions,
    artifacts,
    gates,
    comparisons,
    hooks,
    dispatches,
    failures,
    rollout_failures,
    environments,
    rollouts: rollouts.filter(({ state }) => state !== 'unknown'),
    unreported: rollouts.filter(({ state }) => state === 'unknown'),
    members,
    releases,
    workflow: workflow?.template ?? null,
    api_description: description ? { ...description, document: JSON.parse(description.document) } : null,
  }
}
