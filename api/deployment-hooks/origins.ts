/** Whose change a dispatch delivers: the gate, executions and requirements that it comes from, or who asked for it. */

import type { ExecutionStatus } from '../../core/executions/records.ts'
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { distinctName } from '../members/namesakes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import type { RequirementName } from '../requirements/link.tsx'
import { requirementName } from '../requirements/names.ts'

/** Executions of a workflow that are named. */
const MAX_EXECUTIONS = 10

interface OriginExecution {
  id: string
  agent: string
  status: ExecutionStatus
  requirement: RequirementName
}

/** What a dispatch comes from, as far as it still exists. */
export interface Origin {
  gate: { id: string; name: string; status: string } | null
  /** That of the gate, or the newest of the workflow. */
  executions: OriginExecution[]
  requested_by_name: string | null
}

/** What a dispatch comes from. */
export async function getOrigin(db: Queryable, { id, organization_id }: ResourceKey<'dispatch'>): Promise<Origin> {
  const executions = (condition: Fragment): Fragment => sql`
    select id, agent, status, requirement_id, created_at
    from executions
    where organization_id = ${organization_id}
      and ${condition}
  `
  const [origin] = await db<Origin[]>`
    select
      case when gate.id is not null
        then jsonb_build_object('id', gate.id, 'name', gate.name, 'status', gate.status)
      end as gate,
      ${distinctName(organization_id, sql`dispatch.requested_by`)} as requested_by_name,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'id', execution.id, 'agent', execution.agent, 'status', execution.status,
              'requirement', ${requirementName(sql`execution.requirement_id`, organization_id)}
            )
            order by execution.created_at desc, execution.id desc
          ),
          '[]'
        )
        from (
          ${executions(sql`id = gate.execution_id`)}
          union all
          ${executions(sql`project_id = dispatch.project_id and graph_id = dispatch.graph_id`)}
          order by created_at desc, id desc
          limit ${MAX_EXECUTIONS}
        ) as execution
      ) as executions
    from dispatches as dispatch
    left join gates as gate
      on gate.id = dispatch.gate_id
      and gate.organization_id = ${organization_id}
    where dispatch.id = ${id}
      and dispatch.organization_id = ${organization_id}
  `
  return origin ?? { gate: null, executions: [], requested_by_name: null }
}
