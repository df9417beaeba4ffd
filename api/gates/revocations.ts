/** Revocations: an approval does not hold any more, and nothing more is sent because of it. */
import { lockLanes } from '../../core/delivery/lanes.ts'
import { emit } from '../../core/events/outbox.ts'
import { fullGateColumns, type Gate, shortGate } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { cancelRequested } from '../lanes.ts'
import { confirmAccess } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { waitUntilFinished } from '../plugins/waiting.ts'
import { invalidTransition, Problem } from '../problems.ts'
import { lockGate, recordGate, shown } from './gates.ts'
import type { RevocationInput } from './outcome-schema.ts'

/** Whether a person may revoke the approval of a gate. */
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

/**
 * Cancels the dispatches of a gate that wait. The gate is locked: what the drain has sent because of its approval is there, and what
 * it will fan out is created as cancelled. Redeliveries lock the lane of their hook, which has a dispatch of the gate already.
 */
async function cancelDispatches(tx: Tx, { id, organization_id }: ResourceKey<'gate'>): Promise<void> {
  const hooks = await tx<{ hook_id: string }[]>`
    select distinct hook_id from dispatches where gate_id = ${id} and organization_id = ${organization_id}
  `
  if (hooks.length === 0) return
  const lanes = await lockLanes(
    tx,
    [organization_id],
    hooks.map(({ hook_id }) => hook_id),
  )
  const waiting = await tx<{ lane_id: string }[]>`
    update deliveries as delivery
    set cancel_requested = true
    from dispatches as dispatch
    where dispatch.gate_id = ${id}
      and dispatch.organization_id = ${organization_id}
      and delivery.id = dispatch.id
      and delivery.organization_id = ${organization_id}
    returning delivery.lane_id
  `
  const changed = new Set(waiting.map(({ lane_id }) => lane_id))
  await cancelRequested(
    tx,
    organization_id,
    lanes.filter((lane) => changed.has(lane.id)),
  )
}

/**
 * Revokes the approval of a gate. Its status stays; its dispatches that wait are cancelled.
 *
 * @throws Problem `not_found`, `forbidden`, `invalid_transition`
 */
export async function revokeGate(tx: Tx, by: Caller, gate: Resource<'gate'>, { reason }: RevocationInput): Promise<Gate> {
  const locked = await lockGate(tx, gate)
  const { gate: before, execution } = locked
  await requireRevoker(tx, by, before, gate.role)
  requireApproved(locked)
  const [revoked] = await tx<[Gate]>`
    update gates
    set revoked_by        = ${by.id},
        revoked_at        = now(),
        revocation_reason = ${reason}
    where gates.id = ${gate.id}
      and gates.organization_id = ${gate.organization_id}
    returning ${fullGateColumns}
  `
  const references = { optional_requirement_id: execution?.requirement_id ?? null }
  await emit(tx, by, gate, 'gate.revoked', { gate: shortGate(revoked), execution: shown(execution) }, references)
  await recordGate(tx, by, gate, 'gate.revoked', revoked, `${by.name} revoked the approval of the gate ${revoked.name}.`)
  await cancelDispatches(tx, gate)
  return revoked
}

/** Whatever a worker has read ahead, it reads again after this time: see `worker/delivery/lane-run.ts`. */
const MAX_SECONDS = 1

const noneWaits = async (db: Queryable, { id, organization_id }: ResourceKey<'gate'>): Promise<object | null> => {
  const waiting = await db`
    select
    from dispatches as dispatch
    where dispatch.gate_id = ${id}
      and dispatch.organization_id = ${organization_id}
      -- By the key: a join may be planned as a loop over the queue.
      and (
        select true
        from deliveries
        where id = dispatch.id
          and organization_id = ${organization_id}
          and lease_until is null
      )
    limit 1
  `
  return waiting.length === 0 ? {} : null
}

/** Waits until workers have cancelled what waited, so that after the response nothing is sent but what was in flight. */
export async function waitForCancellations(request: Request, gate: ResourceKey<'gate'>): Promise<void> {
  await waitUntilFinished(request, MAX_SECONDS, () => noneWaits(sql, gate))
}
