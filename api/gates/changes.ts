/** Requesting changes: a decision that neither approves a gate nor fails its execution. */
import { emit } from '../../core/events/outbox.ts'
import { type Gate, shortGate, type Way } from '../../core/gates.ts'
import { isVisible } from '../../core/values/schema.ts'
import type { Tx } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { invalidField } from '../problems.ts'
import { beforeExpiry, decide, lockGate, requireOpen, resume, shown } from './gates.ts'
import { requireStanding, requireWay } from './standing.ts'

/**
 * Requests changes: the gate is decided, and its execution runs again once no other gate of it is pending. The comment says what has
 * to change, and another gate asks again.
 *
 * @param via how the person decided
 * @throws Problem `not_found`, `validation_failed`, `invalid_transition`, `decision_not_allowed_here`
 */
export async function requestChanges(
  tx: Tx,
  by: Caller,
  gate: Resource<'gate'>,
  { comment }: { comment?: string | null },
  via: Way,
): Promise<Gate> {
  // Forms also have it for approvals, which need none.
  if (!isVisible(comment ?? '')) throw invalidField('/comment', 'required', 'is required: say what has to change')
  const locked = await lockGate(tx, gate)
  const { gate: before, execution } = locked
  await requireStanding(tx, before, by, 'request_changes')
  requireOpen(locked, by, 'changes_requested')
  requireWay(before, via)
  const decided = await beforeExpiry('changes_requested', () =>
    decide(tx, by, gate, 'changes_requested', via, { comment }, before.approvals),
  )
  const current = execution && (await resume(tx, by, execution))
  const references = { optional_requirement_id: execution?.requirement_id ?? null }
  await emit(tx, by, gate, 'gate.changes_requested', { gate: shortGate(decided), execution: shown(current) }, references)
  return decided
}
