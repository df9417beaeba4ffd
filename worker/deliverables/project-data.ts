/** Reads the data for documents: a snapshot of a project, one statement for each subject. */
import type { VersionScheme } from '../../core/deliverables.ts'
import { config } from '../../core/platform/config.ts'
import type { Tx } from '../../sql/index.ts'
import { type Comparison, type Gate, readComparisons, readGates } from './data/decisions.ts'
import {
  type Environment,
  type FinishedRollout,
  type RolloutFailure,
  readEnvironments,
  readRolloutFailures,
  readRollouts,
} from './data/environments.ts'
import { type Artifact, type Execution, readArtifacts, readExecutions } from './data/executions.ts'
import { type Dispatch, type DispatchFailure, type Hook, readDispatches, readDispatchFailures, readHooks } from './data/hooks.ts'
import { daysBefore, newestOf } from './data/newest.ts'
import { type Budget, type Member, readBudgets, readHead, readMembers } from './data/project.ts'
import {
  type PublishedDescription,
  type Release,
  readApiDescription,
  readPublishedDescription,
  readReleases,
  readWorkflow,
} from './data/publications.ts'
import {
  type Completion,
  type Requirement,
  type RequirementChange,
  readCompletions,
  readHistory,
  readRequirements,
} from './data/requirements.ts'
import type { DocumentScope } from './data/scope.ts'

export type { Comparison, Gate } from './data/decisions.ts'
export type { Environment, FinishedRollout } from './data/environments.ts'
export type { Artifact, Execution } from './data/executions.ts'
export type { DispatchFailure, Hook } from './data/hooks.ts'
export type { Budget } from './data/project.ts'
export type { PublishedDescription, Release } from './data/publications.ts'
export type { Completion, Requirement } from './data/requirements.ts'

/** A consistent snapshot of a project. */
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
  budgets: { workspace: Budget; organization: Budget }
  /** The requirement that the document is limited to; null for the whole project. */
  only: string | null
  requirements: Requirement[]
  /** All requirements of the project that are done, oldest first, also if the document is limited to one. */
  completions: Completion[]
  /** Of the requirement that the document is limited to; empty for the whole project. */
  history: RequirementChange[]
  executions: Execution[]
  artifacts: Artifact[]
  gates: Gate[]
  comparisons: Comparison[]
  hooks: Hook[]
  dispatches: Dispatch[]
  /** Of the last 30 days. */
  failures: DispatchFailure[]
  /** Of the last 30 days. */
  rollout_failures: RolloutFailure[]
  environments: Environment[]
  /** Reported as succeeded or failed. */
  rollouts: FinishedRollout[]
  /** Those about which nothing was reported in time. */
  unreported: FinishedRollout[]
  members: Member[]
  /** Published changelogs, oldest first. */
  releases: Release[]
  /** The workflow template of the project; null if it uses the built-in one. */
  workflow: string | null
  api_description: { title: string; version: string; document: Record<string, unknown> } | null
  /** For the API documentation: the description of the one that was published last. */
  published_description: PublishedDescription | null
}

/** The URL of an API path. */
export const address = (path: string): string => `${config.PUBLIC_URL}/api/v1${path}`

/**
 * Reads a project.
 *
 * @param tx a repeatable read transaction, for a consistent snapshot
 * @returns null if the project or requirement is deleted
 */
export async function readProject(tx: Tx, scope: DocumentScope): Promise<ProjectData | null> {
  const [head] = await readHead(tx, scope)
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
    [published],
  ] = await Promise.all([
    readRequirements(tx, scope),
    readCompletions(tx, scope),
    readHistory(tx, scope),
    readExecutions(tx, scope),
    readArtifacts(tx, scope),
    readGates(tx, scope),
    readComparisons(tx, scope),
    readHooks(tx, scope),
    readDispatches(tx, scope),
    readEnvironments(tx, scope),
    readRollouts(tx, scope),
    readMembers(tx, scope),
    readReleases(tx, scope),
    readWorkflow(tx, scope),
    readApiDescription(tx, scope),
    readPublishedDescription(tx, scope),
  ])
  if (scope.requirement_id !== null && requirements.length === 0) return null
  const newest = newestOf(head.created_at, requirements, executions, gates, comparisons, dispatches, rollouts)
  const [failures, rollout_failures, [budgets]] = await Promise.all([
    readDispatchFailures(tx, scope, daysBefore(newest, 30)),
    readRolloutFailures(tx, scope, daysBefore(newest, 30)),
    readBudgets(tx, scope, newest),
  ])
  const none: Budget = { limit_usd: null, used_usd: 0 }
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
    published_description: published ? { ...published, document: JSON.parse(published.document) } : null,
  }
}
