/** What a dispatch comes from: the gate and who approved it, the requirements and executions, or who asked for it. */
import { type DecidedVia, gateState } from '../../core/gates/gates.ts'
import { instant, sql } from '../../core/platform/database.ts'
import type { ExecutionStatus } from '../../core/records/executions.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { distinctName } from '../members/namesakes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import type { RequirementName } from '../requirements/list.tsx'
import { requirementName } from '../requirements/requirements.ts'

/** Gates, and executions. */
const MAX_LISTED = 10

interface OriginExecution {
  id: string
  agent: string
  status: ExecutionStatus
  requirement: RequirementName
}

export interface OriginGate {
  id: string
  name: string
  /** In a word: also `superseded` and `revoked`. */
  status: string
  decided_at: string | null
  decided_via: DecidedVia | null
  decided_by_name: string | null
  /** Those whose approval counted, the first one first. */
  approved_by: string[]
}

/** As far as it still exists. */
export interface Origin {
  /** The gate of the dispatch, or the gates that were approved for its workflow and environment: the newest ones. */
  gates: OriginGate[]
  /** The execution of the gate, or the newest ones of the workflow. */
  executions: OriginExecution[]
  requested_by_name: string | null
  /** Of a rollback: what was asked for, and why, as the audit log has it. */
  rollback: string | null
}

const NOTHING: Origin = { gates: [], executions: [], requested_by_name: null, rollback: null }

/** SQL: an approval of `gate` as JSON, with the names of those who gave it. */
const gateWithNames = (organization_id: string): Fragment => sql`
  jsonb_build_object(
    'id', gate.id, 'name', gate.name, 'status', ${gateState(sql`gate`)},
    'decided_at', ${instant(sql`gate.decided_at`)}, 'decided_via', gate.decided_via,
    'decided_by_name', ${distinctName(organization_id, sql`gate.decided_by`)},
    'approved_by', (
      select coalesce(
        jsonb_agg(${distinctName(organization_id, sql`approval.user_id`)} order by approval.created_at, approval.user_id),
        '[]'
      )
      from gate_approvals as approval
      where approval.gate_id = gate.id
        and approval.organization_id = ${organization_id}
        and approval.counted is not false
    )
  )
`

export async function getOrigin(db: Queryable, { id, organization_id }: ResourceKey<'dispatch'>): Promise<Origin> {
  const executions = (condition: Fragment): Fragment => sql`
    select id, agent, status, requirement_id, created_at
    from executions
    where organization_id = ${organization_id} and ${condition}
  `
  const ofWorkflow = sql`
    (
      select gate.id
      from executions as execution
      join gates as gate on gate.execution_id = execution.id and gate.organization_id = ${organization_id}
      where execution.project_id = dispatch.project_id
        and execution.graph_id = dispatch.graph_id
        and execution.organization_id = ${organization_id}
        and (gate.environment is null or gate.environment = dispatch.environment)
        and gate.status = 'approved'
      order by gate.created_at desc, gate.id desc
      limit ${MAX_LISTED}
    )
  `
  const ofGate = sql`(select execution_id from gates where id = dispatch.gate_id and organization_id = ${organization_id})`
  // The dispatch first, and one: otherwise PostgreSQL expects one in each partition, and plans the statement anew with each call.
  const [origin] = await db<Origin[]>`
    with dispatch as materialized (
      select project_id, event, environment, graph_id, gate_id, requested_by, created_at
      from dispatches
      where id = ${id} and organization_id = ${organization_id}
      limit 1
    )
    select
      (
        select coalesce(jsonb_agg(${gateWithNames(organization_id)} order by gate.created_at desc, gate.id desc), '[]')
        from (
          select dispatch.gate_id as id
          union all
          ${ofWorkflow}
        ) as listed
        join gates as gate on gate.id = listed.id and gate.organization_id = ${organization_id}
      ) as gates,
      ${distinctName(organization_id, sql`dispatch.requested_by`)} as requested_by_name,
      case
        when dispatch.event = 'deployment.rollback' then (
          -- Written in the same transaction.
          select entry.detail
          from audit_log_entries as entry
          where entry.organization_id = ${organization_id}
            and entry.action = 'deployment.rollback'
            and entry.created_at = dispatch.created_at
            and entry.resource_id = dispatch.project_id
          limit 1
        )
      end as rollback,
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
          ${executions(sql`id = ${ofGate}`)}
          union all
          ${executions(sql`project_id = dispatch.project_id and graph_id = dispatch.graph_id`)}
          order by created_at desc, id desc
          limit ${MAX_LISTED}
        ) as execution
      ) as executions
    from dispatch
  `
  return origin ?? NOTHING
}
