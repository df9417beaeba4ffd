/** Overrides: an owner or admin of the organization approves a gate regardless of what it still requires, and another one reviews that. */
import { emit } from '../../core/events/outbox.ts'
import { fullGateColumns, type Gate, type Proof, shortGate } from '../../core/gates.ts'
import { line } from '../../core/values/plain-text.ts'
import type { Tx } from '../../sql/index.ts'
import { confirmInOrganization } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { Problem } from '../problems.ts'
import { beforeExpiry, decide, lockGate, recordGate, requireOpen, resume, shown } from './gates.ts'
import type { OverrideInput, ReviewInput } from './outcome-schema.ts'
import { accountsOfSamePerson, requireProof, withProof } from './standing.ts'

/** Characters of a reason in the audit log. */
const MAX_REASON = 500

/**
 * Approves a gate regardless of what it still requires.
 *
 * @param proof what `proveDecision` has verified
 * @throws Problem `not_found`, `invalid_transition`, `passkey_required`; those of `confirmInOrganization`
 */
export async function overrideGate(
  tx: Tx,
  by: Caller,
  gate: Resource<'gate'>,
  input: OverrideInput,
  proof: Proof | null,
): Promise<Gate> {
  const locked = await lockGate(tx, gate)
  await confirmInOrganization(tx)
  const { gate: before, execution } = locked
  requireOpen(locked, by, 'approved')
  requireProof(before, proof)
  const decided = await beforeExpiry('approved', () =>
    decide(tx, by, gate, 'approved', 'override', { comment: input.reason }, before.approvals, {
      incident_url: input.incident_url ?? null,
      proof,
    }),
  )
  const current = execution && (await resume(tx, by, execution))
  const data = { gate: shortGate(decided), execution: shown(current) }
  const references = { optional_requirement_id: execution?.requirement_id ?? null }
  await emit(tx, by, gate, 'gate.approved', data, references)
  await emit(tx, by, gate, 'gate.overridden', data, references)
  const why = line(input.reason, MAX_REASON)
  await recordGate(
    tx,
    by,
    gate,
    'gate.overridden',
    decided,
    `${by.name} overrode the gate ${decided.name}${withProof(proof)}: ${why}`,
  )
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
  const same = await accountsOfSamePerson(tx, by.id, [overrider])
  if (by.id !== overrider && !same.has(overrider)) return
  throw new Problem('self_approval', 'You overrode this gate, so another owner or admin of the organization has to review it.')
}

/**
 * Records that another person has reviewed an override.
 *
 * @throws Problem `not_found`, `invalid_transition`, `self_approval`
 */
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
    where gates.id = ${gate.id}
      and gates.organization_id = ${gate.organization_id}
    returning ${fullGateColumns}
  `
  await recordGate(tx, by, gate, 'gate.reviewed', reviewed, `${by.name} reviewed the override of the gate ${reviewed.name}.`)
  return reviewed
}
