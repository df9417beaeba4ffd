/** What people decided or have to decide: gates and comparisons. */
import type { Subject } from '../../../core/gates.ts'
import type { Tx } from '../../../sql/index.ts'
import { personName } from './people.ts'
import type { DocumentScope } from './scope.ts'

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
}

/** A decided comparison of two tracks. */
export interface Comparison {
  requirement_id: string
  track_a_agent: string
  track_b_agent: string
  winner: 'a' | 'b' | 'tie'
  decided_by: string | null
  decided_at: string
}

/** What a person did who decided a gate, before its name. */
export const decisionVerb = (status: Gate['status']): string => (status === 'changes_requested' ? 'requested changes at' : status)

/** Characters that are kept of a description or a comment. */
const TEXT_LENGTH = 600

/** Oldest first. */
export const readGates = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Gate[]>`
  select
    gate.id, execution.requirement_id, gate.execution_id, gate.name, left(gate.description, ${TEXT_LENGTH}) as description,
    gate.status, left(gate.comment, ${TEXT_LENGTH}) as comment, gate.environment, gate.subject, gate.binding,
    gate.fields @> '[{"required": true}]' as asks, gate.created_at,
    case when gate.decided_by is not null then ${personName(tx)} end as decided_by,
    gate.decided_by as decided_by_id, gate.decided_at
  from gates as gate
  -- Lateral with a limit: as a join, PostgreSQL may read all executions while they are few, and keep the plan.
  left join lateral (
    select requirement_id
    from executions
    where id = gate.execution_id
      and organization_id = ${organization_id}
    limit 1
  ) as execution on true
  left join people on people.id = gate.decided_by
  where gate.project_id = ${project_id}
    and gate.organization_id = ${organization_id}
    and (${requirement_id}::uuid is null or execution.requirement_id = ${requirement_id})
  order by gate.id
`

/** Decided comparisons, oldest first. */
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
