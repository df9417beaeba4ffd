/** The requirements of a project, and the history of one. */
import type { Tx } from '../../../sql/index.ts'
import { personName } from './people.ts'
import type { DocumentScope } from './scope.ts'

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

/** A change of the status of a requirement. */
export interface RequirementChange {
  from_status: string | null
  to_status: string
  changed_by: string | null
  changed_at: string
}

/** Above this number, texts of requirements are shortened, so that a document fits into memory. */
const MAX_WHOLE_REQUIREMENTS = 1_000
/** Characters that are kept of a description, and acceptance criteria of a requirement, above that number. */
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
  where change.requirement_id = ${requirement_id}
    and change.organization_id = ${organization_id}
  order by change.changed_at, change.id
`

/** A requirement that is done. */
export interface Completion {
  id: string
  kind: Requirement['kind']
  completed_at: string
  /** When it could be rolled out first: its last approval, else the end of its work, else its completion. */
  ready_at: string
}

/** All requirements that are done, oldest first. */
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
      max(gate.decided_at) filter (where gate.status = 'approved' and gate.decided_at <= done.completed_at) as approved_at,
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
