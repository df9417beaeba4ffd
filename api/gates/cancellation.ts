import { fullGateColumns, type Gate } from '../../core/gates.ts'
import type { Tx } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { invalidTransition } from '../problems.ts'
import { lockGate, recordGate, resume } from './gates.ts'

/**
 * Cancels a pending gate, which needs no decision any more. Its execution runs again if no other gate of it is pending.
 *
 * @throws Problem `not_found`, `invalid_transition`
 */
export async function cancelGate(tx: Tx, by: Caller, gate: Resource<'gate'>): Promise<Gate> {
  const { gate: before, is_open, execution } = await lockGate(tx, gate)
  if (!is_open) throw invalidTransition('gate', before.status === 'pending' ? 'expired' : before.status, 'cancelled')
  const [cancelled] = await tx<[Gate]>`
    update gates
    set status = 'cancelled', decided_at = now()
    where gates.id = ${gate.id}
      and gates.organization_id = ${gate.organization_id}
    returning ${fullGateColumns}
  `
  if (execution) await resume(tx, by, execution)
  await recordGate(tx, by, gate, 'gate.cancelled', cancelled, `${by.name} cancelled the gate ${cancelled.name}.`)
  return cancelled
}
