/** Whether one may go on with what a gate is about. All who ask whether a gate is approved ask this. */
import { type Clearance, clearanceOfApproved, denied, waiting } from '../../core/clearance/clearance.ts'
import { type Circumstances, readCircumstances } from '../../core/dispatches/circumstances.ts'
import {
  closedByOthers,
  closedEnvironments,
  heldUntil,
  lacksOfPromotion,
  requiredPromotions,
  triggeredHooks,
} from '../../core/dispatches/effects.ts'
import { type ApprovalState, filled, readApprovalState, understaffed } from '../../core/gates/approval.ts'
import type { Gate } from '../../core/gates/gates.ts'
import type { Queryable } from '../../sql/index.ts'
import { databaseNow } from '../plugins/clock.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { getGate } from './gates.ts'
import type { GateEffects } from './schema.ts'
import { isOpen, stateOf } from './words.ts'

/** @throws Problem `not_found` */
export async function getCircumstances(
  db: Queryable,
  { id, organization_id }: Pick<Gate, 'id' | 'organization_id'>,
): Promise<Circumstances> {
  const found = (await readCircumstances(db, organization_id, [id])).get(id)
  if (!found) throw notFound('gate')
  return found
}

const quoted = (names: string[]): string => names.map((name) => `“${name}”`).join(', ')

/** Of a gate that Signalbox opened. */
const ASKED_EARLIER =
  'People who asked for its subject in an earlier environment, or reported the rollout there, cannot approve it.'

/** What approval of an open gate still lacks, as sentences. */
export function missingOf(gate: Gate, circumstances: Circumstances, approval: ApprovalState): string[] {
  const { prevent_self_approval, fields, environment, rules } = gate
  const { others } = circumstances
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
      ? [gate.created_by === null ? ASKED_EARLIER : 'People who opened the gate or started its execution cannot approve it.']
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
    ...lacksOfPromotion(gate, circumstances),
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

function shownPromotion(gate: Gate, circumstances: Circumstances): GateEffects['promotion'] {
  const [promotion] = requiredPromotions(gate, circumstances)
  return promotion ? { from: promotion.from, since: promotion.since, soak_until: promotion.soak_until } : null
}

function effectsOf(gate: Gate, circumstances: Circumstances, approval: ApprovalState): GateEffects {
  const { running, now } = circumstances
  if (!isOpen(gate, now))
    return { hooks: [], held_until: null, running, missing: [], promotion: shownPromotion(gate, circumstances), github: null }
  return {
    hooks: triggeredHooks(gate, circumstances).map(({ id, name, environment }) => ({ id, name, environment })),
    held_until: heldUntil(gate, circumstances),
    running,
    missing: missingOf(gate, circumstances, approval),
    promotion: shownPromotion(gate, circumstances),
    github: gate.source && { run_url: gate.source.run_url },
  }
}

/** What the approval of a gate will do. @throws Problem `not_found` */
export async function getGateEffects(db: Queryable, gate: ResourceKey<'gate'>): Promise<GateEffects> {
  const [shown, circumstances, approval] = await Promise.all([
    getGate(db, gate),
    getCircumstances(db, gate),
    readApprovalState(db, gate),
  ])
  if (!approval) throw notFound('gate')
  const effects = effectsOf(shown, circumstances, approval)
  return shown.status === 'approved' ? { ...effects, held_until: (await clearanceOf(db, shown)).held_until } : effects
}

export type { Clearance }

/**
 * Whether one may go on with what a gate is about: it is approved, the approval was not revoked, and nothing holds back what it triggers.
 */
async function clearanceOf(db: Queryable, gate: Gate): Promise<Clearance> {
  if (gate.status === 'approved') {
    const clearance = await clearanceOfApproved(db, gate)
    if (!clearance) throw notFound('gate')
    return clearance
  }
  const state = stateOf(gate, gate.expires_at === null ? gate.created_at : await databaseNow(db))
  if (state === 'pending') return waiting(['The gate is pending.'])
  return denied(`The gate is ${state === 'changes_requested' ? 'not approved: changes are requested' : state}.`)
}

/** Whether one may go on with what a gate is about. @throws Problem `not_found` */
export const getClearance = async (db: Queryable, key: ResourceKey<'gate'>): Promise<Clearance> =>
  clearanceOf(db, await getGate(db, key))
