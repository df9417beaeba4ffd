/** What the approval of a gate will do, for the API and its pages. */
import {
  closedByOthers,
  closedEnvironments,
  heldUntil,
  hooksOf,
  readCircumstances,
  type Circumstances as Surroundings,
} from '../../core/gate-effects.ts'
import { type ApprovalState, filled, readApprovalState, understaffed } from '../../core/gate-rules.ts'
import type { Gate } from '../../core/gates.ts'
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { getGate } from './gates.ts'
import type { GateEffects } from './schema.ts'
import { isOpen } from './state.ts'

export interface Circumstances extends Surroundings {
  /** Which approvals count, and for what. */
  approval: ApprovalState
}

/** @throws Problem `not_found` */
export async function getCircumstances(db: Queryable, gate: ResourceKey<'gate'>): Promise<Circumstances> {
  const { id, organization_id } = gate
  const [found, approval] = await Promise.all([readCircumstances(db, organization_id, [id]), readApprovalState(db, gate)])
  const surroundings = found.get(id)
  if (!surroundings || !approval) throw notFound('gate')
  return { ...surroundings, approval }
}

const quoted = (names: string[]): string => names.map((name) => `“${name}”`).join(', ')

/** What approval of an open gate still lacks, as sentences. */
function missingOf(gate: Gate, circumstances: Circumstances): string[] {
  const { prevent_self_approval, fields, environment, rules } = gate
  const { approval, others } = circumstances
  const closed = closedEnvironments(gate, circumstances)
  const { revoked, overruled } = closedByOthers(gate, circumstances)
  const questions = fields.flatMap(({ label, required }) => (required ? label : []))
  const { is_filled, missing } = filled(approval)
  return [
    // Approvals count again, and there was no decision since.
    ...(is_filled
      ? ['One of those who approved has to approve again: their approvals were not enough before, and now are.']
      : []),
    ...missing.map((text) => `${text}.`),
    ...(prevent_self_approval && missing.length > 0
      ? ['People who opened the gate or started its execution cannot approve it.']
      : []),
    ...understaffed(approval),
    ...(rules.require_passkey ? ['A passkey of each approver.'] : []),
    ...(questions.length > 0 ? [`Answers of each approver: ${quoted(questions)}.`] : []),
    ...(others.length > 0
      ? [`Hooks of ${environment} are triggered by the gate that is approved last; also pending: ${quoted(others)}.`]
      : []),
    ...(closed.length > 0
      ? [`Nothing is sent to hooks of ${quoted(closed)}, which require a gate for the environment: this one is for none.`]
      : []),
    ...(revoked
      ? [
          `Nothing is sent to hooks of ${environment}: the approval of another gate of this execution was revoked after this one was opened. Open another gate, or override this one.`,
        ]
      : []),
    ...(overruled
      ? [`The completed workflow is not sent to hooks of ${environment}: a gate that was opened later is not approved.`]
      : []),
  ]
}

/** What the approval of a gate will do. */
export function effectsOf(gate: Gate, circumstances: Circumstances): GateEffects {
  const { running, now } = circumstances
  if (!isOpen(gate, now)) return { hooks: [], held_until: null, running, missing: [] }
  return {
    hooks: hooksOf(gate, circumstances).map(({ id, name, environment }) => ({ id, name, environment })),
    held_until: heldUntil(gate, circumstances),
    running,
    missing: missingOf(gate, circumstances),
  }
}

/** What the approval of a gate will do. @throws Problem `not_found` */
export async function getGateEffects(db: Queryable, gate: ResourceKey<'gate'>): Promise<GateEffects> {
  const [shown, circumstances] = await Promise.all([getGate(db, gate), getCircumstances(db, gate)])
  return effectsOf(shown, circumstances)
}
