/** What a gate is, and what was decided, in words. */

import { countingApprovals, type DecidedVia, type Gate, neededApprovals, type Proof, type Way } from '../../core/gates/gates.ts'
import { secondText } from '../../core/values/instants.ts'
import { quotedName } from '../../core/values/plain-text.ts'
import { isPast } from '../plugins/clock.ts'

export const WAY_PHRASES: Record<Way, string> = {
  api: 'through the API',
  app: 'in the app',
  slack: 'in Slack',
  mail: 'by the mailed link',
}

/** The same, and by an override. */
export const DECISION_PHRASES: Record<DecidedVia, string> = { ...WAY_PHRASES, override: 'by an override' }

type Times = Pick<Gate, 'status' | 'expires_at'>

/** Pending, and not past its expiry, which a worker may not have recorded yet. @param now as `databaseNow` says */
export const isOpen = ({ status, expires_at }: Times, now: string): boolean => status === 'pending' && !isPast(expires_at, now)

/** The state of a gate in a word, which also says that it was replaced or that its approval was revoked. @param now as `databaseNow` says */
export function stateOf(gate: Times & Pick<Gate, 'superseded_by' | 'revoked_at'>, now: string): string {
  if (gate.status === 'pending' && isPast(gate.expires_at, now)) return 'expired'
  if (gate.superseded_by) return 'superseded'
  return gate.revoked_at ? 'revoked' : gate.status
}

/** What a person decided about a gate, when and how, in words to them; null if they decided nothing. */
export function decisionText({ status, decided_by, decided_via, decided_at, approvals }: Gate, user_id: string): string | null {
  const approval = approvals.find((each) => each.user_id === user_id)
  const text = (done: string, via: DecidedVia, at: string): string =>
    `You ${done} this gate ${DECISION_PHRASES[via]} on ${secondText(at)}.`
  if (decided_by === user_id && decided_via && decided_at) {
    if (status === 'rejected') return text('rejected', decided_via, decided_at)
    if (status === 'changes_requested') return text('requested changes at', decided_via, decided_at)
    if (decided_via === 'override') return text('approved', decided_via, decided_at)
  }
  return approval ? text('approved', approval.via, approval.created_at) : null
}

export const changesRequestedText = (execution_id: string | null): string =>
  `You requested changes at this gate.${execution_id === null ? '' : ' Its execution continues, and can open another gate.'}`

export function approvedText(gate: Gate): string {
  if (gate.status === 'approved') return 'You approved this gate.'
  const [given, needed] = [countingApprovals(gate).length, neededApprovals(gate)]
  return given < needed
    ? `You approved this gate: ${given} of ${needed} approvals.`
    : 'You approved this gate. Members of other groups have to approve it as well.'
}
export function revokedText({ revoked_in_flight }: Gate): string {
  const names = [...new Set(revoked_in_flight?.map(({ hook_name }) => quotedName(hook_name)))]
  const hooks = names.length > 3 ? `${names.length} hooks` : names.join(', ')
  return `You revoked the approval.${names.length === 0 ? '' : ` What was in flight to ${hooks} may still arrive.`}`
}

export const rejectedText = (execution_id: string | null): string =>
  `You rejected this gate.${execution_id === null ? '' : ' Its execution failed.'}`

/** What was confirmed with, in the sentence of a decision. */
export const withProof = (proof: Proof | null): string => (proof === null ? '' : ' with a passkey')
