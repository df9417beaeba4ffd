import type { ExecutionStatus } from '../../core/executions/records.ts'
import type { Queryable } from '../../sql/index.ts'
import { distinctNames } from '../members/namesakes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'

/** What a person reads before they decide a gate: its execution and requirement, and the names of people. */
export interface GateContext {
  /** The names of those who approved it, by id. */
  approvers: Map<string, string>
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
  /** The time by the clock of the database, as `databaseNow` says it: a statement less for pages that show both. */
  now: string
}

type Row = Omit<GateContext, 'approvers' | 'created_by_name' | 'decided_by_name' | 'started_by_name'> & {
  created_by: string
  decided_by: string | null
  approved_by: string[]
}

/** The context of a gate. @throws Problem `not_found` */
export async function getGateContext(db: Queryable, { id, organization_id }: ResourceKey<'gate'>): Promise<GateContext> {
  const [row] = await db<Row[]>`
    select
      gate.created_by, gate.decided_by,
      array(
        select user_id from gate_approvals where gate_id = ${id} and organization_id = ${organization_id}
      ) as approved_by,
      execution.id as execution_id, execution.agent, execution.status as execution_status,
      execution.summary as execution_summary, execution.cost_usd, execution.started_by,
      requirement.id as requirement_id, requirement.number as requirement_number, requirement.title as requirement_title,
      requirement.description as requirement_description, requirement.acceptance_criteria,
      now()::timestamptz(3) as now
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
  if (!row) throw notFound('gate')
  const { created_by, decided_by, approved_by, ...context } = row
  const names = await distinctNames(db, organization_id, [created_by, decided_by, context.started_by, ...approved_by])
  const nameOf = (user_id: string | null) => (user_id === null ? null : (names.get(user_id) ?? null))
  return {
    ...context,
    approvers: names,
    created_by_name: nameOf(created_by),
    decided_by_name: nameOf(decided_by),
    started_by_name: nameOf(context.started_by),
  }
}
