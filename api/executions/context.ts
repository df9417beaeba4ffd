import type { DecidedVia, Gate } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { Execution } from '../../core/records/executions.ts'
import type { Queryable } from '../../sql/index.ts'
import { distinctName } from '../members/namesakes.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import type { RequirementName } from '../requirements/list.tsx'
import { requirementName } from '../requirements/requirements.ts'

/** What the page of an execution shows in addition to it and its gates. */
interface ExecutionContext {
  requirement: RequirementName
  runtime_name: string | null
  /** The names of those who queued and started it, and opened or decided its gates, by id. */
  names: Record<string, string>
}

/** The context of an execution. @throws Problem `not_found` */
export async function getExecutionContext(db: Queryable, { id, organization_id }: ResourceKey<'execution'>) {
  const [context] = await db<ExecutionContext[]>`
    select
      ${requirementName(sql`execution.requirement_id`, organization_id)} as requirement,
      (
        select name from runtimes where id = execution.runtime_id and organization_id = ${organization_id}
      ) as runtime_name,
      (
        select coalesce(jsonb_object_agg(mentioned.id, ${distinctName(organization_id, sql`mentioned.id`)}), '{}')
        from (
          select unnest(array[execution.created_by, execution.started_by]) as id
          union
          select unnest(array[gate.created_by, gate.decided_by, gate.reviewed_by, gate.revoked_by])
          from gates as gate
          where gate.execution_id = execution.id and gate.organization_id = ${organization_id}
        ) as mentioned
        where mentioned.id is not null
      ) as names
    from executions as execution
    where execution.id = ${id} and execution.organization_id = ${organization_id}
  `
  if (!context) throw notFound('execution')
  return context
}

export interface Occurrence {
  at: string
  /** The state word whose shape marks it. */
  state: string
  text: string
  /** Who caused it; null for agents and the service. */
  by: string | null
  via: DecidedVia | null
  gate: Pick<Gate, 'id' | 'name'> | null
}

type Names = Record<string, string>

const nameIn = (names: Names, id: string | null): string | null => (id === null ? null : (names[id] ?? null))

/** The effect of the approval of a gate. */
function laterOccurrences(gate: Gate, names: Names): Occurrence[] {
  const occurrence = (at: string | null, by: string | null, state: string, text: string): Occurrence[] =>
    at === null ? [] : [{ at, state, text, by: nameIn(names, by), via: null, gate }]
  return [
    ...occurrence(gate.reviewed_at, gate.reviewed_by, 'done', 'Override reviewed'),
    ...occurrence(gate.revoked_at, gate.revoked_by, 'revoked', 'Approval revoked'),
  ]
}

function gateOccurrences(gate: Gate, names: Names): Occurrence[] {
  const about = { gate, via: null, by: null }
  const opened = { ...about, at: gate.created_at, state: 'pending', text: 'Gate opened', by: nameIn(names, gate.created_by) }
  // The last approval is the decision, unless an override is.
  const isByApproval = gate.status === 'approved' && gate.decided_via !== 'override'
  const approvals = isByApproval ? gate.approvals.slice(0, -1) : gate.approvals
  const approved = approvals.map(({ name, via, created_at }, index) => {
    const text = `Gate approved, ${index + 1} of ${gate.required_approvals}`
    return { ...about, at: created_at, state: 'pending', text, by: name, via }
  })
  const end = gate.decided_at ?? (gate.status === 'expired' ? gate.expires_at : null)
  if (end === null) return [opened, ...approved]
  const by = nameIn(names, gate.decided_by)
  const text = gate.status === 'changes_requested' ? 'Changes requested at the gate' : `Gate ${gate.status}`
  const ended = { ...about, at: end, state: gate.status, text, by, via: gate.decided_via }
  return [opened, ...approved, ended, ...laterOccurrences(gate, names)]
}

/** The events of an execution, oldest first. @param names of people and service accounts, by id */
export function timelineOf(execution: Execution, gates: Gate[], names: Names): Occurrence[] {
  const { created_at, created_by, started_at, started_by, finished_at, status } = execution
  const about = { gate: null, via: null, by: null }
  const own: Occurrence[] = [{ ...about, at: created_at, state: 'queued', text: 'Queued', by: nameIn(names, created_by) }]
  if (started_at !== null)
    own.push({ ...about, at: started_at, state: 'running', text: 'Started', by: nameIn(names, started_by) })
  const during = gates.toReversed().flatMap((gate) => gateOccurrences(gate, names))
  const text = status.charAt(0).toUpperCase() + status.slice(1)
  const ended = finished_at === null ? [] : [{ ...about, at: finished_at, state: status, text }]
  return [...own, ...during, ...ended].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}
