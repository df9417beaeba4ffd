/** What is taken back: approvals that are revoked, gates that need no decision any more. */

import { fullGateColumns, type Gate } from '../../core/gates/gates.ts'
import { reconsiderGates } from '../../core/github/requests.ts'
import { sql } from '../../core/platform/database.ts'
import { stating } from '../../core/security/audit.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { cancelUnapproved } from '../lanes/lanes.ts'
import { readGone } from '../notifications/withdrawn.ts'
import { confirmAccess } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { Waits, waitUntilFinished } from '../plugins/waiting.ts'
import { invalidTransition, Problem } from '../problems.ts'
import { emitGate, recordGate, resume } from './decisions.ts'
import { lockGate } from './lock.ts'
import type { RevocationInput } from './outcome-schema.ts'

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
  if (cancelled.source) await reconsiderGates(tx, gate.organization_id, [gate.id])
  await recordGate(tx, by, gate, 'gate.cancelled', cancelled, `${by.name} cancelled the gate ${cancelled.name}.`)
  return cancelled
}
