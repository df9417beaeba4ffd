/** The rules of gates that were decided. */
import type { AttestedGate } from '../../core/attestations.ts'
import type { Gate } from '../../core/gates.ts'
import { bindingOf } from '../gates/evidence.ts'

/** A gate, with the approvals that counted when it was decided. */
export type DecidedGate = Pick<
  Gate,
  | 'id'
  | 'project_id'
  | 'environment'
  | 'subject'
  | 'evidence'
  | 'fields'
  | 'rules'
  | 'binding'
  | 'created_by'
  | 'decided_via'
  | 'decided_at'
  | 'override_proof'
> &
  Pick<AttestedGate, 'attested_approvals'> & {
    /** Who started its execution; null if it has none. */
    started_by: string | null
  }

/**
 * The rules of an approved gate that do not hold as they were when it was decided. Who was in which group then is not kept: of the groups, only
 * the number of approvals can be counted again.
 */
export function brokenRules(gate: DecidedGate): string[] {
  const { rules, evidence, attested_approvals: given, created_by, started_by } = gate
  if (gate.binding !== bindingOf(gate))
    return ['What the gate asks for was changed after its approval: its binding does not match.']
  if (gate.decided_via === 'override') {
    return rules.require_passkey && gate.override_proof === null
      ? ['The gate requires passkeys, and was overridden without one.']
      : []
  }
  const required = Math.max(
    rules.required_approvals,
    rules.approvers.reduce((sum, { count }) => sum + count, 0),
  )
  const checks = evidence?.checks ?? []
  const broken: [isBroken: boolean, reason: string][] = [
    [given.length < required, `The approvals that the gate requires: ${required}. Those that counted: ${given.length}.`],
    [
      rules.prevent_self_approval && given.some(({ user_id }) => user_id === created_by || user_id === started_by),
      'The gate was approved by the person who opened it or started its execution, which its rules prevent.',
    ],
    [given.some(({ via }) => !rules.decide_via.includes(via)), 'The gate was approved in a way that its rules do not allow.'],
    [
      rules.expires_at !== null && gate.decided_at !== null && gate.decided_at > rules.expires_at,
      'The gate was approved after it had expired.',
    ],
    [
      rules.require_passkey && given.some(({ proof }) => proof !== 'passkey'),
      'The gate requires passkeys, and was approved without one.',
    ],
    [
      rules.require_checks && (checks.length === 0 || checks.some(({ state }) => state !== 'passed')),
      'The gate requires that all checks passed, and they did not.',
    ],
  ]
  return broken.flatMap(([isBroken, reason]) => (isBroken ? reason : []))
}
