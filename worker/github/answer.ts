/** Answers, reports and commit statuses of a request: pure functions of its gate. */
import type { Clearance } from '../../core/clearance/clearance.ts'
import { countingApprovals, type Gate, neededApprovals } from '../../core/gates/gates.ts'
import { pageUrl } from '../../core/tenants/links.ts'
import { minuteText } from '../../core/values/instants.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import type { Answer, CommitState, DueRequest } from './request.ts'

/** What to send: an answer, nothing before a time, or nothing before people have decided. */
export type Verdict = { answer: Answer; why: string | null } | { held_until: string } | null

/** @param clearance of an approved gate @param gate null if it is deleted */
export function verdictOf({ refusal, link }: DueRequest, gate: Gate | null, clearance: Clearance | null): Verdict {
  const rejected = (why: string | null): Verdict => ({ answer: 'rejected', why })
  if (refusal !== null) return rejected(refusal)
  if (link === null) return rejected(NOT_LINKED)
  if (gate === null) return rejected('The gate was deleted.')
  if (gate.status === 'pending') return null
  if (gate.status !== 'approved') return rejected(null)
  if (clearance?.state === 'clear') return { answer: 'approved', why: null }
  if (clearance?.state === 'waiting' && clearance.held_until !== null) return { held_until: clearance.held_until }
  // Other gates of its execution are pending: their decisions are awaited.
  if (clearance?.state === 'waiting') return null
  return rejected(clearance?.reasons.join(' ') ?? null)
}

const NOT_LINKED = 'The repository is not linked to a project in Signalbox.'

const MAX_COMMENT = 1_000
const MAX_NAMES = 5
const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

/** A text of a person in Markdown, in which nothing is formatted, linked or mentioned. */
const plain = (text: string | null, limit: number): string =>
  unlinked(line(text ?? '', limit)).replaceAll(/[\\`*_{}[\]<>()#+!|~]/g, '\\$&')

const STATES: Partial<Record<Gate['status'], string>> = {
  rejected: 'Rejected',
  changes_requested: 'Changes were requested',
  expired: 'Not decided in time',
  cancelled: 'Cancelled',
}

function decisionText(gate: Gate, answer: Answer, why: string | null): string {
  if (answer === 'rejected' && gate.status === 'approved') return why === null ? 'Rejected' : `Rejected: ${plain(why, 300)}`
  if (gate.superseded_by !== null) return 'Replaced by a gate with another commit'
  if (gate.status !== 'approved') {
    const comment = plain(gate.comment, 300)
    return `${STATES[gate.status] ?? 'Rejected'}${comment === '' ? '' : `: ${comment}`}`
  }
  if (gate.decided_via === 'override') return `Overridden: ${plain(gate.comment, 300)}`
  const names = countingApprovals(gate).map(({ name }) => plain(name, 60))
  const shown = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), `${names.length - MAX_NAMES} more`] : names
  return `Approved by ${LIST.format(shown)}`
}

/** The page of what a request is about. */
const pageOf = ({ gate_id, project_id }: DueRequest): string => pageUrl('gate', gate_id) ?? pageUrl('project', project_id) ?? ''

const WORDS: Record<Answer, string> = { approved: 'Approved', rejected: 'Rejected' }

/** The comment of an answer. In a public repository everyone can read it, so it has the state and the link alone. */
export function answerText(request: DueRequest, gate: Gate | null, answer: Answer, why: string | null): string {
  const isLinked = request.link !== null
  if (!isLinked) return `${WORDS[answer]}: ${plain(why ?? NOT_LINKED, 300)}`
  const text = !request.is_private
    ? `${WORDS[answer]} in Signalbox`
    : gate === null
      ? `${WORDS[answer]}: ${plain(why, 600)}`
      : decisionText(gate, answer, why)
  return line(`${text} – ${pageOf(request)}`, MAX_COMMENT)
}

/** How it stands, for those who wait at GitHub; null if there is nothing to report. */
export function reportText(request: DueRequest, gate: Gate | null, held_until: string | null): string | null {
  if (gate === null) return null
  const [given, needed] = [countingApprovals(gate).length, neededApprovals(gate)]
  const state = held_until
    ? `Approved, held until ${minuteText(held_until)}`
    : given > 0 && needed > 1
      ? `${given} of ${needed} approvals`
      : 'Waits for a decision'
  return `${request.is_private ? state : held_until ? 'Approved and held' : 'Waits for a decision'} in Signalbox – ${pageOf(request)}`
}

const COMMIT_STATES: Record<Gate['status'], CommitState> = {
  pending: 'pending',
  approved: 'success',
  rejected: 'failure',
  changes_requested: 'failure',
  expired: 'failure',
  cancelled: 'error',
}

/** The status of the commit; null if there is none to set. */
export function commitStateOf({ refusal, state }: DueRequest, gate: Gate | null): CommitState | null {
  if (refusal !== null) return 'failure'
  if (gate === null) return state === 'closed' ? 'error' : null
  return gate.revoked_at === null ? COMMIT_STATES[gate.status] : 'failure'
}

const DESCRIPTIONS: Record<CommitState, string> = {
  pending: 'Waits for a decision',
  success: 'Approved',
  failure: 'Not approved',
  error: 'Cancelled: nothing waits for it any more',
}

export const commitStatusOf = (request: DueRequest, state: CommitState) => ({
  state,
  target_url: pageOf(request),
  description: DESCRIPTIONS[state],
  context: `signalbox/${request.gate_environment ?? request.environment}`,
})
