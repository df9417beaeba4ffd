/** What people decided or have to decide: gates and comparisons. */
import type { Tx } from '../../../sql/index.ts'
import { personName } from './people.ts'
import type { DocumentScope } from './scope.ts'

export interface Gate {
  id: string
  requirement_id: string
  execution_id: string
  name: string
  description: string | null
  status: 'pending' | 'approved' | 'rejected' | 'cancelled' | 'expired'
  comment: string | null
  created_at: string
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

/** Characters that are kept of a description or a comment. */
const TEXT_LENGTH = 600

/** Oldest first. */
export const readGates = (tx: Tx, { organization_id, project_id, requirement_id }: DocumentScope) => tx<Gate[]>`
  select
    gate.id, execution.requirement_id, gate.execution_id, gate.name, left(gate.description, ${TEXT_LENGTH}) as description,
    gate.status, left(gate.comment, ${TEXT_LENGTH}) as comment, gate.created_at, ${personName(tx)} as decided_by, gate.decided_by as decided_by_id, gate.decided_at
  from gates as gate
  -- Lateral with a limit: as a join, PostgreSQL may read all executions while they are few, and keep the plan.
  cross join lateral (
    select requirement_id
    from executions
    where id = gate.execution_id
      and organization_id = ${organization_id}
    limit 1
  ) as execution
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
