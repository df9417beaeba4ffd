import type { ExecutionStatus } from '../../core/executions/states.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Resource } from '../plugins/request-context.ts'
import { notFound } from '../problems.ts'

/** What a person reads before they decide a gate: its execution and requirement, and the names of people. */
export interface GateContext {
  created_by_name: string | null
  decided_by_name: string | null
  execution_id: string
  agent: string
  execution_status: ExecutionStatus
  execution_summary: string | null
  cost_usd: number | null
  started_by: string | null
  started_by_name: string | null
  requirement_id: string
  requirement_number: number
  requirement_title: string
  requirement_description: string | null
  acceptance_criteria: string[]
}

/** The context of a gate. @throws Problem `not_found` */
export async function getGateContext(db: Queryable, { id, organization_id }: Resource): Promise<GateContext> {
  const [context] = await db<GateContext[]>`
    select
      (select name from people where id = gate.created_by) as created_by_name,
      (select name from people where id = gate.decided_by) as decided_by_name,
      execution.id as execution_id, execution.agent, execution.status as execution_status,
      execution.summary as execution_summary, execution.cost_usd, execution.started_by,
      (select name from people where id = execution.started_by) as started_by_name,
      requirement.id as requirement_id, requirement.number as requirement_number, requirement.title as requirement_title,
      requirement.description as requirement_description, requirement.acceptance_criteria
    from gates as gate
    join executions as execution
      on execution.id = gate.execution_id
      and execution.organization_id = ${organization_id}
    join requirements as requirement
      on requirement.id = execution.requirement_id
      and requirement.organization_id = ${organization_id}
    where gate.id = ${id}
      and gate.organization_id = ${organization_id}
  `
  if (!context) throw notFound('gate')
  return context
}
