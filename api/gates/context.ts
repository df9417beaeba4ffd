import { type ApprovalState, approvalState, type Standing, standing } from '../../core/gates/approval.ts'
import { type GateSource, gateSource } from '../../core/gates/sources.ts'
import { sql } from '../../core/platform/database.ts'
import type { ExecutionStatus } from '../../core/records/executions.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { Queryable } from '../../sql/index.ts'
import { distinctNames } from '../members/namesakes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { type Involvement, involvementOf } from './deciders.ts'

/** The execution of a gate, with its requirement. */
interface GateWork {
  execution_id: string
  agent: string
  status: ExecutionStatus
  summary: string | null
  cost_usd: number | null
  requirement_id: string
  requirement_number: number
  requirement_title: string
  requirement_description: string | null
  acceptance_criteria: string[]
}

/** What a person reads before they decide a gate: its execution and requirement, and the names of people. */
export interface GateContext {
  /** The names of those who approved it, decided it, reviewed its override or revoked its approval, by id. */
  approvers: Map<string, string>
  created_by_name: string | null
  decided_by_name: string | null
  /** Null if nothing waits for it. */
  work: GateWork | null
  started_by: string | null
  started_by_name: string | null
  /** Which approvals count, and for what. */
  approval: ApprovalState
  /** What the reader may do. */
  standing: Standing
  /** What the reader has done here, with any of their accounts. */
  involvement: Involvement
  /** The time by the clock of the database, as `databaseNow` says it: a statement less for pages that show both. */
  now: string
}

type Row = Omit<GateContext, 'approvers' | 'created_by_name' | 'decided_by_name' | 'started_by_name' | 'involvement'> & {
  prevent_self_approval: boolean
  source: GateSource | null
  created_by: string | null
  asked_by: string[]
  decided_by: string | null
  reviewed_by: string | null
  revoked_by: string | null
  approved_by: string[]
}

/** The context of a gate. @throws Problem `not_found` */
export async function getGateContext(db: Queryable, gate: ResourceKey<'gate'>, reader_id: string): Promise<GateContext> {
  const row = await readRow(db, gate, reader_id)
  if (!row) throw notFound('gate')
  const { prevent_self_approval, source, created_by, asked_by, decided_by, reviewed_by, revoked_by, approved_by, ...context } =
    row
  const people = [created_by, decided_by, reviewed_by, revoked_by, context.started_by, ...approved_by]
  const [names, involvement] = await Promise.all([
    distinctNames(db, gate.organization_id, people),
    involvementOf(db, reader_id, row),
  ])
  const nameOf = (user_id: string | null) => (user_id === null ? null : (names.get(user_id) ?? null))
  return {
    ...context,
    involvement,
    approvers: names,
    created_by_name: created_by === null ? SYSTEM.name : nameOf(created_by),
    decided_by_name: nameOf(decided_by),
    started_by_name: nameOf(context.started_by),
  }
}

async function readRow(db: Queryable, { id, organization_id }: ResourceKey<'gate'>, reader_id: string): Promise<Row | undefined> {
  const [row] = await db<Row[]>`
    select
      gate.prevent_self_approval, gate.created_by, gate.asked_by, gate.decided_by, gate.reviewed_by, gate.revoked_by,
      array(
        select user_id from gate_approvals where gate_id = ${id} and organization_id = ${organization_id}
      ) as approved_by,
      case when execution.id is not null then jsonb_build_object(
        'execution_id', execution.id, 'agent', execution.agent, 'status', execution.status, 'summary', execution.summary,
        'cost_usd', execution.cost_usd
      ) || (
        -- A subquery: a join may be planned as a loop over all requirements.
        select jsonb_build_object(
          'requirement_id', id, 'requirement_number', number, 'requirement_title', title, 'requirement_description', description,
          'acceptance_criteria', acceptance_criteria
        )
        from requirements
        where id = execution.requirement_id and organization_id = ${organization_id}
      ) end as work,
      execution.started_by,
      decided.standing, decided.approval, decided.source,
      now()::timestamptz(3) as now
    from gates as gate
    -- The limit makes PostgreSQL look up the execution by its key: a join may be planned as a loop over all of them.
    left join lateral (
      select id, agent, status, summary, cost_usd, started_by, requirement_id
      from executions
      where id = gate.execution_id and organization_id = ${organization_id}
      limit 1
    ) as execution on true
    cross join lateral (
      select ${standing(sql`${reader_id}::uuid`)} as standing, ${approvalState} as approval, ${gateSource} as source
      from gates
      where gates.id = ${id} and gates.organization_id = ${organization_id}
    ) as decided
    where gate.id = ${id} and gate.organization_id = ${organization_id}
  `
  return row
}
