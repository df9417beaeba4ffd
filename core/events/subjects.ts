/** What the `data` of events holds: the resources as the API shows them, and values. */
import type { Approval, Gate, Subject } from '../gates/gates.ts'
import type { ComparisonResult, Winner } from '../records/comparisons.ts'
import type { ShortExecution } from '../records/executions.ts'
import type { Runtime } from '../records/runtimes.ts'
import type { Rollout } from '../rollouts/rollouts.ts'
import type { NamedResource } from '../tenants/scopes.ts'

export type NamedRequirement = { id: string; number: number; title: string }

/** A dispatch, without the response body, which a receiver chose. */
export interface EventDispatch {
  id: string
  hook_id: string
  project_id: string
  event: string
  environment: string
  status: string
  attempt_count: number
  max_attempts: number
  response_status: number | null
  error: { code: string; detail: string } | null
  rollout: Rollout | null
}

/** A hook, with every secret masked. */
export interface EventHook extends NamedResource {
  project_id: string
  environment: string
}

/** A notification channel, with every secret masked. */
export interface EventChannel extends NamedResource {
  workspace_id: string
  channel_type: string
}

export interface EventMember {
  organization_id: string
  user_id: string
  role: string
  user_name: string
  user_email: string
}

export interface EventDeliverable {
  id: string
  project_id: string
  deliverable_type: string
  title: string
  status: string
  version: number
  error: string | null
  created_by: string
}

export interface EventComparison {
  id: string
  track_a_agent: string
  track_b_agent: string
  result: ComparisonResult | null
  winner: Winner | null
  error: string | null
  decided_by: string | null
}

/** The type of each subject. The documentation has a schema for each (api/docs/webhooks.ts). */
export interface Subjects {
  text: string
  optional_text: string | null
  uuid: string
  role: string
  execution: ShortExecution
  /** Null for a gate without one. */
  optional_execution: ShortExecution | null
  executions: ShortExecution[]
  requirement: NamedRequirement
  /** Null for a gate without an execution. */
  optional_requirement: NamedRequirement | null
  requirements: NamedRequirement[]
  gate: Gate
  subject: Subject
  approval: Approval
  dispatch: EventDispatch
  /** Null for a rollout that GitHub has reported. */
  optional_dispatch: EventDispatch | null
  dispatches: EventDispatch[]
  rollout: Rollout
  named_hook: NamedResource
  hook: EventHook
  channel: EventChannel
  member: EventMember
  comparison: EventComparison
  deliverable: EventDeliverable
  budget: BudgetUsage | WorkspaceBudget
  runtime: Runtime
}

/** Ids whose names the statement that writes an event reads. */
export interface References {
  /** Becomes `data.requirement`. */
  requirement_id: string
  /** Becomes `data.requirement`, which is null without one. */
  optional_requirement_id: string | null
  /** Become `data.requirements`, by number. */
  requirement_ids: string[]
  /** Becomes `data.hook`, as `{ id, name }`. */
  hook_id: string
}

/** The subjects that are given by reference. */
export interface ReferenceIds {
  requirement: 'requirement_id'
  optional_requirement: 'optional_requirement_id'
  requirements: 'requirement_ids'
  named_hook: 'hook_id'
}

/** A budget and its use in this month, as in reports and events. */
export interface BudgetUsage {
  budget_monthly_limit_usd: number | null
  budget_used_usd: number
  budget_alert_threshold: number
  /** Used divided by limit; 0 without a limit, 1 with a limit of 0. */
  usage_percent: number
}

export interface WorkspaceBudget extends BudgetUsage {
  workspace_id: string
  workspace_name: string
}
