/** Overrides of gates, and their reviews. */

import { fullGateColumns, type Gate, type Proof } from '../../core/gates/gates.ts'
import { stating } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { confirmInOrganization } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { Problem } from '../problems.ts'
import { accountsOf, requireProof } from './deciders.ts'
import { beforeExpiry, decide, emitGate, recordGate, requireOpen, resume } from './decisions.ts'
import { lockGate } from './lock.ts'
import type { OverrideInput, ReviewInput } from './outcome-schema.ts'
import { withProof } from './words.ts'

/**
 * Approves a gate regardless of what it still requires.
 * @param proof what `proveDecision` has verified
 * @throws Problem `not_found`, `invalid_transition`, `passkey_required`; those of `confirmInOrganization`
 */
export async function overrideGate(tx: Tx, by: Caller, gate: Resource<'gate'>, input: OverrideInput, proof: Proof | null) {
  const locked = await lockGate(tx, gate)
  await confirmInOrganization(tx)
  const { gate: before } = locked
  requireOpen(locked, by, 'approved')
  requireProof(before, proof)
  const decided = await beforeExpiry('approved', () =>
    decide(tx, by, gate, 'approved', 'override', { comment: input.reason }, before, null, {
      incident_url: input.incident_url ?? null,
      proof,
    }),
  )
  const current = await resume(tx, by, locked)
  await emitGate(tx, by, gate, 'gate.approved', decided, current)
  await emitGate(tx, by, gate, 'gate.overridden', decided, current)
  const sentence = `${by.name} overrode the gate ${decided.name}${withProof(proof)}`
  await recordGate(tx, by, gate, 'gate.overridden', decided, stating(sentence, input.reason))
  return decided
}

/** @throws Problem `invalid_transition` if there is nothing to review */
function requireReviewable({ decided_via, reviewed_at }: Gate): void {
  if (decided_via !== 'override')
    throw new Problem('invalid_transition', 'The gate was not overridden: there is nothing to review.')
  if (reviewed_at !== null) throw new Problem('invalid_transition', 'The override of this gate has been reviewed already.')
}

/** @throws Problem `self_approval` if the caller overrode the gate, also with another account */
async function requireAnotherPerson(tx: Tx, by: Caller, { decided_by }: Gate): Promise<void> {
  const overrider = decided_by ?? ''
  if (!(await accountsOf(tx, by.id, [overrider])).has(overrider)) return
  throw new Problem('self_approval', 'You overrode this gate, so another owner or admin of the organization has to review it.')
}

/** Records that another person has reviewed an override. @throws Problem `not_found`, `invalid_transition`, `self_approval` */
export async function reviewOverride(tx: Tx, by: Caller, gate: Resource<'gate'>, { comment }: ReviewInput): Promise<Gate> {
  const { gate: before } = await lockGate(tx, gate)
  await confirmInOrganization(tx)
  requireReviewable(before)
  await requireAnotherPerson(tx, by, before)
  const [reviewed] = await tx<[Gate]>`
    update gates
    set reviewed_by    = ${by.id},
        reviewed_at    = now(),
        review_comment = ${comment ?? null},
        review_due_at  = null
    where gates.id = ${gate.id} and gates.organization_id = ${gate.organization_id}
    returning ${fullGateColumns}
  `
  const sentence = `${by.name} reviewed the override of the gate ${reviewed.name}`
  await recordGate(tx, by, gate, 'gate.reviewed', reviewed, stating(sentence, comment))
  return reviewed
}
