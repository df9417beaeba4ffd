/** The requirements of a project, the executions for them, and what people decided: gates and comparisons. */
import { approved, type Subject } from '../../../core/gates/gates.ts'
import type { Tx } from '../../../sql/index.ts'
import { type DocumentScope, personName } from './project.ts'

export interface Requirement {
  id: string
  number: number
  title: string
  description: string | null
  kind: 'feature' | 'change' | 'deprecation' | 'removal' | 'fix' | 'security' | 'docs' | 'chore'
  status: 'open' | 'in_progress' | 'done' | 'cancelled'
  acceptance_criteria: string[]
  created_by: string | null
  created_by_id: string | null
  created_at: string
  completed_at: string | null
  /** How often it was reopened after it was done. */
  reopened: number
}

export interface RequirementChange {
  from_status: string | null
  to_status: string
  changed_by: string | null
  changed_at: string
}

/** Above this number, texts of requirements are shortened, so that a document fits into memory. */
const MAX_WHOLE_REQUIREMENTS = 1_000
const SHORT_DESCRIPTION = 600
const FEW_CRITERIA = 5

/** By number. */
export const readRequirements = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Requirement[]>`
  select
    requirement.id, requirement.number, requirement.title,
    case
      when count(*) over () > ${MAX_WHOLE_REQUIREMENTS} then left(requirement.description, ${SHORT_DESCRIPTION})
      else requirement.description
    end as description,
    requirement.kind, requirement.status,
    case
      when count(*) over () > ${MAX_WHOLE_REQUIREMENTS} then requirement.acceptance_criteria[:${FEW_CRITERIA}::integer]
      else requirement.acceptance_criteria
    end as acceptance_criteria,
    ${personName(tx)} as created_by, requirement.created_by as created_by_id, requirement.created_at, requirement.completed_at,
    coalesce(reopening.count, 0) as reopened
  from requirements as requirement
  left join people on people.id = requirement.created_by
  left join (
    select requirement_id, count(*)
    from requirement_changes
    where project_id = ${project_id}
      and organization_id = ${organization_id}
      and from_status = 'done'
    group by requirement_id
  ) as reopening on reopening.requirement_id = requirement.id
  where requirement.project_id = ${project_id}
    and requirement.organization_id = ${organization_id}
    and (${requirement_id}::uuid is null or requirement.id = ${requirement_id})
  order by requirement.number
`

/** How the status of the requirement changed that a document is limited to, oldest first; empty for a whole project. */
export const readHistory = (tx: Tx, { organization_id, requirement_id }: DocumentScope) => tx<RequirementChange[]>`
  select change.from_status, change.to_status, coalesce(account.name, ${personName(tx)}) as changed_by, change.changed_at
  from requirement_changes as change
  left join people on people.id = change.changed_by
  left join service_accounts as account
    on account.id = change.changed_by
    and account.organization_id = change.organization_id
  where change.requirement_id = ${requirement_id} and change.organization_id = ${organization_id}
  order by change.changed_at, change.id
`

export interface Completion {
  id: string
  kind: Requirement['kind']
  completed_at: string
  /** When it could be rolled out first: its last approval, else the end of its work, else its completion. */
  ready_at: string
}

export const readCompletions = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<Completion[]>`
  with done as (
    select id, number, kind, completed_at
    from requirements
    where project_id = ${project_id}
      and organization_id = ${organization_id}
      and status = 'done'
  ),
  work as (
    select
      execution.requirement_id,
      max(gate.decided_at) filter (where ${approved()} and gate.decided_at <= done.completed_at) as approved_at,
      max(execution.finished_at) filter (where execution.status = 'completed' and execution.finished_at <= done.completed_at)
        as finished_at
    from done
    join executions as execution
      on execution.requirement_id = done.id
      and execution.project_id = ${project_id}
      and execution.organization_id = ${organization_id}
    left join gates as gate
      on gate.execution_id = execution.id
      and gate.project_id = ${project_id}
      and gate.organization_id = ${organization_id}
    group by execution.requirement_id
  )
  select done.id, done.kind, done.completed_at, coalesce(work.approved_at, work.finished_at, done.completed_at) as ready_at
  from done
  left join work on work.requirement_id = done.id
  order by done.completed_at, done.number
`

export interface Execution {
  id: string
  requirement_id: string
  agent: string
  status: 'queued' | 'running' | 'awaiting_gate' | 'completed' | 'failed' | 'cancelled'
  summary: string | null
  error: string | null
  cost_usd: number | null
  seconds: number | null
  started_by: string | null
  started_by_id: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}

export type Artifact = { requirement_id: string; name: string; url: string | null }

const SUMMARY_LENGTH = 600
/** The newest requirements whose artifacts are read, and the artifacts of each. */
const MAX_REQUIREMENTS = 500
const MAX_ARTIFACTS = 10

/** Oldest first. */
export const readExecutions = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Execution[]>`
  select
    execution.id, execution.requirement_id, execution.agent, execution.status,
    left(execution.summary, ${SUMMARY_LENGTH}) as summary, left(execution.error, ${SUMMARY_LENGTH}) as error,
    execution.cost_usd,
    extract(epoch from execution.finished_at - execution.started_at)::double precision as seconds,
    coalesce(account.name, ${personName(tx)}) as started_by, people.id as started_by_id, execution.created_at,
    execution.started_at,
    execution.finished_at
  from executions as execution
  left join people on people.id = execution.started_by
  left join service_accounts as account
    on account.id = execution.started_by
    and account.organization_id = execution.organization_id
  where execution.project_id = ${project_id}
    and execution.organization_id = ${organization_id}
    and (${requirement_id}::uuid is null or execution.requirement_id = ${requirement_id})
  order by execution.id
`

/** Artifacts of the requirements that were completed last. */
export const readArtifacts = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Artifact[]>`
  select
    requirement.id as requirement_id, artifact.item ->> 'name' as name, artifact.item ->> 'url' as url
  from (
    select id, organization_id, number
    from requirements
    where project_id = ${project_id}
      and organization_id = ${organization_id}
      and status = 'done'
      ${requirement_id === null ? tx`` : tx`and id = ${requirement_id}`}
    order by completed_at desc, number desc
    limit ${MAX_REQUIREMENTS}
  ) as requirement
  cross join lateral (
    select artifacts
    from executions
    where requirement_id = requirement.id
      and organization_id = ${organization_id}
      and status = 'completed'
    order by created_at desc, id desc
    limit 1
  ) as execution
  cross join lateral (
    select item, position
    from jsonb_array_elements(execution.artifacts) with ordinality as element (item, position)
    order by position
    limit ${MAX_ARTIFACTS}
  ) as artifact
  order by requirement.number, artifact.position
`

export interface Gate {
  id: string
  /** Null, like its execution, if it was opened in the project. */
  requirement_id: string | null
  execution_id: string | null
  name: string
  description: string | null
  status: 'pending' | 'approved' | 'rejected' | 'changes_requested' | 'cancelled' | 'expired'
  comment: string | null
  environment: string | null
  subject: Subject | null
  binding: string | null
  /** Whether approvers have to answer questions. */
  asks: boolean
  created_at: string
  /** Null if it waits, or ended without a decision. */
  decided_by: string | null
  decided_by_id: string | null
  decided_at: string | null
  /** Of an approval that is no longer valid. */
  revoked_by: string | null
  revoked_at: string | null
  revocation_reason: string | null
}

export interface Comparison {
  requirement_id: string
  track_a_agent: string
  track_b_agent: string
  winner: 'a' | 'b' | 'tie'
  decided_by: string | null
  decided_at: string
}

export const decisionVerb = (status: Gate['status']): string => (status === 'changes_requested' ? 'requested changes at' : status)

const TEXT_LENGTH = 600

/** Oldest first. */
export const readGates = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Gate[]>`
  select
    gate.id, execution.requirement_id, gate.execution_id, gate.name, left(gate.description, ${TEXT_LENGTH}) as description,
    gate.status, left(gate.comment, ${TEXT_LENGTH}) as comment, gate.environment, gate.subject, gate.binding,
    gate.fields @> '[{"required": true}]' as asks, gate.created_at,
    case when gate.decided_by is not null then ${personName(tx)} end as decided_by,
    gate.decided_by as decided_by_id, gate.decided_at,
    (select ${personName(tx)} from people where people.id = gate.revoked_by) as revoked_by, gate.revoked_at,
    left(gate.revocation_reason, ${TEXT_LENGTH}) as revocation_reason
  from gates as gate
  -- Lateral with a limit: as a join, PostgreSQL may read all executions while they are few, and keep the plan.
  left join lateral (
    select requirement_id
    from executions
    where id = gate.execution_id and organization_id = ${organization_id}
    limit 1
  ) as execution on true
  left join people on people.id = gate.decided_by
  where gate.project_id = ${project_id}
    and gate.organization_id = ${organization_id}
    and (${requirement_id}::uuid is null or execution.requirement_id = ${requirement_id})
  order by gate.id
`

export const readComparisons = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Comparison[]>`
  select
    comparison.work_item_id as requirement_id, comparison.track_a_agent, comparison.track_b_agent, comparison.winner,
    ${personName(tx)} as decided_by, comparison.decided_at
  from dual_track_comparisons as comparison
  left join people on people.id = comparison.decided_by
  where comparison.project_id = ${project_id}
    and comparison.organization_id = ${organization_id}
    and comparison.status = 'decided'
    and (${requirement_id}::uuid is null or comparison.work_item_id = ${requirement_id})
  order by comparison.decided_at, comparison.id
`
