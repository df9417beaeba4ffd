/** What happened to an execution, from its record and its gates. */
import type { Execution } from '../../core/executions/records.ts'
import type { DecidedVia, Gate } from '../../core/gates.ts'

/** One event of an execution. */
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

const endText = (status: Gate['status']): string =>
  status === 'changes_requested' ? 'Changes requested at the gate' : `Gate ${status}`

/** What became of the approval of a gate. */
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
  const approved = approvals.map(({ name, via, created_at }, index) => ({
    ...about,
    at: created_at,
    state: 'pending',
    text: `Gate approved, ${index + 1} of ${gate.required_approvals}`,
    by: name,
    via,
  }))
  const end = gate.decided_at ?? (gate.status === 'expired' ? gate.expires_at : null)
  if (end === null) return [opened, ...approved]
  const by = nameIn(names, gate.decided_by)
  const ended = { ...about, at: end, state: gate.status, text: endText(gate.status), by, via: gate.decided_via }
  return [opened, ...approved, ended, ...laterOccurrences(gate, names)]
}

/**
 * The events of an execution, oldest first.
 *
 * @param names of people and service accounts, by id
 */
export function timelineOf(execution: Execution, gates: Gate[], names: Names): Occurrence[] {
  const { created_at, created_by, started_at, started_by, finished_at, status } = execution
  const about = { gate: null, via: null, by: null }
  const own: Occurrence[] = [{ ...about, at: created_at, state: 'queued', text: 'Queued', by: nameIn(names, created_by) }]
  if (started_at !== null) {
    own.push({ ...about, at: started_at, state: 'running', text: 'Started', by: nameIn(names, started_by) })
  }
  const during = gates.toReversed().flatMap((gate) => gateOccurrences(gate, names))
  const text = status.charAt(0).toUpperCase() + status.slice(1)
  const ended = finished_at === null ? [] : [{ ...about, at: finished_at, state: status, text }]
  return [...own, ...during, ...ended].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}
