/** Decisions beyond approval and rejection: changes that are requested, overrides and their reviews, revocations and withdrawals. */

import { fullGateColumns, type Gate, type Proof, type Way } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { stating } from '../../core/security/audit.ts'
import { isVisible } from '../../core/values/schema.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { cancelUnapproved } from '../lanes/lanes.ts'
import { readGone } from '../notifications/withdrawn.ts'
import { confirmAccess, confirmInOrganization } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { Waits, waitUntilFinished } from '../plugins/waiting.ts'
import { invalidField, invalidTransition, Problem } from '../problems.ts'
import { beforeExpiry, decide, emitGate, recordGate, requireOpen, resume } from './gates.ts'
import { lockGate, lockToDecide } from './lock.ts'
import type { OverrideInput, ReviewInput, RevocationInput } from './outcome-schema.ts'
import { accountsOf, requireProof, requireStanding, requireWay, withProof } from './state.ts'

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

export const mayRevoke = ({ approvals }: Gate, role: Resource['role'], by: Pick<Caller, 'id'>): boolean =>
  role === 'admin' || approvals.some(({ user_id }) => user_id === by.id)

/** @throws Problem `forbidden`, also if the caller has lost the role meanwhile */
async function requireRevoker(tx: Tx, by: Caller, gate: Gate, role: Resource['role']): Promise<void> {
  if (!mayRevoke(gate, role, by)) {
    const detail = `This requires the role admin in the workspace, or to have approved the gate; your role is ${role}.`
    throw new Problem('forbidden', detail)
  }
  if (!mayRevoke(gate, 'member', by)) await confirmAccess(tx, 'admin')
}

/** @throws Problem `invalid_transition` if there is no approval that holds */
function requireApproved({ gate, is_open }: { gate: Gate; is_open: boolean }): void {
  if (gate.status !== 'approved')
    throw invalidTransition('gate', gate.status === 'pending' && !is_open ? 'expired' : gate.status, 'revoked')
  if (gate.revoked_at !== null) throw new Problem('invalid_transition', 'The approval of this gate has been revoked already.')
}

/** The hooks of the project of a gate: any may have dispatches of it, or get its environment while it is revoked. */
const hookIdsOfProject = async (tx: Tx, { id, organization_id }: ResourceKey<'gate'>): Promise<string[]> => {
  const hooks = await tx<{ id: string }[]>`
    select hook.id
    from gates as gate
    join deployment_hooks as hook on hook.project_id = gate.project_id and hook.organization_id = gate.organization_id
    where gate.id = ${id} and gate.organization_id = ${organization_id}
  `
  return hooks.map((hook) => hook.id)
}

/** Dispatches in flight that a revoked gate names. */
const MAX_NAMED = 100

/**
 * Revokes the approval of a gate. Its status stays; its dispatches that wait are cancelled, and those that may be in flight are named.
 * @throws Problem `not_found`, `forbidden`, `invalid_transition`
 */
export async function revokeGate(tx: Tx, by: Caller, gate: Resource<'gate'>, { reason }: RevocationInput): Promise<Gate> {
  const locked = await lockGate(tx, gate)
  const { gate: before, execution } = locked
  await requireRevoker(tx, by, before, gate.role)
  requireApproved(locked)
  await tx`
    update gates
    set revoked_by        = ${by.id},
        revoked_at        = now(),
        revocation_reason = ${reason}
    where id = ${gate.id} and organization_id = ${gate.organization_id}
  `
  const sentence = `${by.name} revoked the approval of the gate ${before.name}`
  await recordGate(tx, by, gate, 'gate.revoked', before, stating(sentence, reason))
  // The gate is locked: what the drain has sent because of its approval is there, and what it will fan out is created as cancelled.
  const inFlight = await cancelUnapproved(tx, gate.organization_id, await hookIdsOfProject(tx, gate), gate.id)
  const [revoked] = await tx<[Gate]>`
    update gates
    set revoked_in_flight = ${tx.json(inFlight.slice(0, MAX_NAMED) as unknown as Json)}
    where gates.id = ${gate.id} and gates.organization_id = ${gate.organization_id}
    returning ${fullGateColumns}
  `
  await emitGate(tx, by, gate, 'gate.revoked', revoked, execution)
  return revoked
}

/** Whatever a worker has read ahead, it reads again after this time: see `worker/delivery/next-step.ts`. */
const MAX_SECONDS = 1

const cancellations = new Waits(
  (ids, organization_ids) => sql<{ id: string }[]>`
    select gate.id
    from gates as gate
    where gate.id = any(${ids}::uuid[])
      and gate.organization_id = any(${organization_ids}::uuid[])
      and exists (
        select
        from deployment_hooks as hook
        join deliveries as delivery on delivery.lane_id = hook.id and delivery.organization_id = hook.organization_id
        where hook.project_id = gate.project_id
          and hook.organization_id = gate.organization_id
          and delivery.cancel_requested
          and delivery.lease_until is null
      )
  `,
)

/** Waits until workers have cancelled what waited, so that after the response nothing is sent but what was in flight. */
export async function waitForCancellations(request: Request, { id, organization_id }: ResourceKey<'gate'>): Promise<void> {
  const read = async () => ((await cancellations.findPending([id], [organization_id])).length === 0 ? true : null)
  await waitUntilFinished(request, MAX_SECONDS, { waits: cancellations, keys: [{ id, organization_id }], read })
}

/**
 * Cancels a pending gate, which needs no decision any more. Its execution runs again if no other gate of it is pending.
 * @throws Problem `not_found`, `invalid_transition`
 */
export async function cancelGate(tx: Tx, by: Caller, gate: Resource<'gate'>): Promise<Gate> {
  const locked = await lockGate(tx, gate)
  const { gate: before, is_open } = locked
  if (!is_open) throw invalidTransition('gate', before.status === 'pending' ? 'expired' : before.status, 'cancelled')
  const [cancelled] = await tx<[Gate]>`
    update gates
    set status = 'cancelled', decided_at = now()
    where gates.id = ${gate.id} and gates.organization_id = ${gate.organization_id}
    returning ${fullGateColumns}
  `
  await resume(tx, by, locked)
  await readGone(tx, [gate.id])
  await recordGate(tx, by, gate, 'gate.cancelled', cancelled, `${by.name} cancelled the gate ${cancelled.name}.`)
  return cancelled
}

/**
 * Requests changes: the gate is decided, and its execution runs again once no other gate of it is pending. The comment says what has
 * to change, and another gate asks again.
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
  const locked = await lockToDecide(tx, by, gate)
  const { gate: before } = locked
  requireStanding(locked, 'request_changes')
  requireOpen(locked, by, 'changes_requested')
  requireWay(before, via)
  const decided = await beforeExpiry('changes_requested', () =>
    decide(tx, by, gate, 'changes_requested', via, { comment }, before),
  )
  await emitGate(tx, by, gate, 'gate.changes_requested', decided, await resume(tx, by, locked))
  return decided
}
