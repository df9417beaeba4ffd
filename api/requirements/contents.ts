import type { GateStatus } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import type { DeliverableRow } from '../deliverables/components.tsx'
import type { ComparisonSummary } from '../dual-track/components.tsx'
import { distinctName } from '../members/namesakes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'

/** Rows of each kind that the page of a requirement shows. */
export const MAX_ROWS = 50

export interface RequirementGate {
  id: string
  name: string
  status: GateStatus
  expires_at: string | null
  superseded_by: string | null
  revoked_at: string | null
  created_at: string
  agent: string
}

/** What the page of a requirement shows in addition to it and its executions. */
interface RequirementContents {
  created_by_name: string
  /** The newest gates of its executions. */
  gates: RequirementGate[]
  comparisons: Omit<ComparisonSummary, 'requirement'>[]
  deliverables: DeliverableRow[]
}

/** The contents of a requirement. @throws Problem `not_found` */
export async function getRequirementContents(db: Queryable, { id, organization_id }: ResourceKey<'requirement'>) {
  const [contents] = await db<RequirementContents[]>`
    select
      ${distinctName(organization_id, sql`requirement.created_by`)} as created_by_name,
      (
        select coalesce(jsonb_agg(found order by found.created_at desc, found.id desc), '[]')
        from (
          select
            gate.id, gate.name, gate.status, gate.expires_at, gate.superseded_by, gate.revoked_at, gate.created_at,
            execution.agent
          from executions as execution
          join gates as gate on gate.execution_id = execution.id and gate.organization_id = ${organization_id}
          where execution.requirement_id = requirement.id and execution.organization_id = ${organization_id}
          order by gate.created_at desc, gate.id desc
          limit ${MAX_ROWS}
        ) as found
      ) as gates,
      (
        select coalesce(jsonb_agg(found order by found.created_at desc, found.id desc), '[]')
        from (
          select
            comparison.id, comparison.track_a_agent, comparison.track_b_agent, comparison.status, comparison.winner,
            comparison.result ->> 'recommendation' as recommendation, comparison.created_at
          from dual_track_comparisons as comparison
          where comparison.work_item_id = requirement.id and comparison.organization_id = ${organization_id}
          order by comparison.created_at desc, comparison.id desc
          limit ${MAX_ROWS}
        ) as found
      ) as comparisons,
      (
        select coalesce(jsonb_agg(found order by found.created_at desc, found.id desc), '[]')
        from (
          select deliverable.id, deliverable.deliverable_type, deliverable.version, deliverable.status, deliverable.created_at
          from deliverables as deliverable
          where deliverable.requirement_id = requirement.id and deliverable.organization_id = ${organization_id}
          order by deliverable.created_at desc, deliverable.id desc
          limit ${MAX_ROWS}
        ) as found
      ) as deliverables
    from requirements as requirement
    where requirement.id = ${id} and requirement.organization_id = ${organization_id}
  `
  if (!contents) throw notFound('requirement')
  return contents
}
