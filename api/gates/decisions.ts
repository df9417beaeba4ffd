/** Decisions on gates: approving, rejecting, requesting changes. */

import { emit } from '../../core/events/outbox.ts'
import { recordTransition } from '../../core/executions/transitions.ts'
import { filled, withApproval } from '../../core/gates/approval.ts'
import {
  type Approval,
  countingApprovals,
  type DecidedVia,
  fullGateColumns,
  type Gate,
  type Proof,
  shortGate,
  type Way,
} from '../../core/gates/gates.ts'
import type { ShortExecution } from '../../core/records/executions.ts'
import { record, stating } from '../../core/security/audit.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import { isVisible } from '../../core/values/schema.ts'
import { type Tx, violatedConstraint } from '../../sql/index.ts'
import { transitionExecution } from '../executions/executions.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { invalidField, invalidTransition, Problem } from '../problems.ts'
import { answersTo, requireBinding, requireSameBinding, typedAnswers } from './answers.ts'
import { requireApprover, requireProof, requireStanding, requireWay } from './deciders.ts'
import { type LockedGate, type LockedToDecide, lockToDecide } from './lock.ts'
import type { ApprovalInput, Rejection } from './schema.ts'
import { decisionText, withProof } from './words.ts'

export const recordGate = (tx: Tx, by: Actor, scope: Scope, action: string, { id }: Gate, detail: string): Promise<void> =>
  record(tx, by, scope, { action, resource_type: 'gate', resource_id: id, detail })

/** Emits the outcome of a gate. @param execution as it is then; null if nothing waits for the gate */
export async function emitGate(
  tx: Tx,
  by: Caller,
  scope: Resource<'gate'>,
  name: 'gate.approved' | 'gate.rejected' | 'gate.changes_requested' | 'gate.overridden' | 'gate.revoked',
  gate: Gate,
  execution: ShortExecution | null,
): Promise<void> {
  const data = { gate: shortGate(gate), execution }
  await emit(tx, by, scope, name, data, { optional_requirement_id: execution?.requirement_id ?? null })
}

type Decision = 'approved' | 'rejected' | 'changes_requested'

/** The problem of a decision that comes too late. The decision may be the caller's own: its answer may have been lost. */
function noLongerOpen(gate: Gate, by: Caller, to: Decision): Problem {
  if (gate.superseded_by !== null) {
    const detail = 'Nothing was decided: a newer gate with another subject has replaced this one.'
    return new Problem('invalid_transition', detail)
  }
  const problem = invalidTransition('gate', gate.status === 'pending' ? 'expired' : gate.status, to)
  const decision = decisionText(gate, by.id)
  return decision === null ? problem : new Problem(problem.code, `${decision} ${problem.detail}`)
}

/** @throws Problem `invalid_transition` if the gate is not pending, or has expired: it stays pending until a worker marks it */
export function requireOpen({ gate, is_open }: LockedGate, by: Caller, to: Decision): void {
  if (!is_open) throw noLongerOpen(gate, by, to)
}

/** Constraints that a decision violates if the gate expires after `lockToDecide` has read it. */
const EXPIRED_MEANWHILE = new Set<string | undefined>(['gate_approvals_open', 'gates_expired'])

/** @throws Problem `invalid_transition` if the database finds that the gate has expired */
export async function beforeExpiry<Result>(to: Decision, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (EXPIRED_MEANWHILE.has(violatedConstraint(error))) throw invalidTransition('gate', 'expired', to)
    throw error
  }
}

/** Whether another gate of the same execution and environment is pending. It is locked with the execution. */
const siblingPending = (tx: Tx) => tx`
  exists (
    select 1
    from gates as other
    where other.execution_id = gates.execution_id
      and other.organization_id = gates.organization_id
      and other.environment = gates.environment
      and other.id <> gates.id
      and other.status = 'pending'
  )
`

/** What the policy requires of the subject now: a stricter one that follows does not concern what is approved. */
const promotionAtApproval = (tx: Tx) => tx`
  (promotes_from, soak_seconds) = (
    select policy.promotes_from, policy.soak_seconds
    from environment_policies as policy
    where policy.project_id = gates.project_id
      and policy.environment = gates.environment
      and policy.organization_id = gates.organization_id
      and policy.promotes_from is not null
  ),
`

const SENTENCES: Record<Decision, (name: string, gate: string, proof: string) => string> = {
  approved: (name, gate, proof) => `${name} approved the gate ${gate}${proof}`,
  rejected: (name, gate) => `${name} rejected the gate ${gate}`,
  changes_requested: (name, gate) => `${name} requested changes at the gate ${gate}`,
}

/** What an override has in addition to its reason. It is to be reviewed within a day. */
type Override = { incident_url: string | null; proof: Proof | null }

/** Decides an open gate, whose execution is locked. */
export async function decide(
  tx: Tx,
  by: Caller,
  gate: Resource<'gate'>,
  status: Decision,
  via: DecidedVia,
  { comment }: Rejection,
  { approvals }: Pick<Gate, 'approvals'>,
  own: Pick<Approval, 'answers' | 'proof'> | null = null,
  override: Override | null = null,
): Promise<Gate> {
  const { incident_url = null, proof = null } = override ?? {}
  const uncounted = approvals.flatMap(({ user_id, counts }) => (counts ? [] : user_id))
  const [, [decided]] = await Promise.all([
    // Sent before the update, which returns what they say.
    uncounted.length > 0 && discount(tx, gate, uncounted).execute(),
    tx<[Gate]>`
    update gates
    set status         = ${status},
        comment        = ${comment ?? null},
        answers        = ${status === 'approved' ? tx.json(own?.answers ?? {}) : null},
        triggers_hooks = ${status === 'approved' ? tx`not ${siblingPending(tx)}` : null},
        decided_by     = ${by.id},
        decided_via    = ${via},
        ${status === 'approved' ? promotionAtApproval(tx) : tx``}
        decided_at     = now(),
        incident_url   = ${incident_url},
        override_proof = ${proof},
        review_due_at  = ${override ? tx`now() + interval '24 hours'` : null}
    where gates.id = ${gate.id} and gates.organization_id = ${gate.organization_id}
    returning ${fullGateColumns}
  `.execute(),
  ])
  const sentence = SENTENCES[status](by.name, decided.name, withProof(own?.proof ?? proof))
  await recordGate(tx, by, gate, `gate.${status}`, decided, stating(sentence, comment))
  return decided
}

/** Notes that approvals did not count for the decision. The others count from then on, whatever roles their people have later. */
const discount = (tx: Tx, { id, organization_id }: Resource<'gate'>, user_ids: string[]) => tx`
  update gate_approvals
  set counted = false
  where gate_id = ${id}
    and organization_id = ${organization_id}
    and user_id = any(${user_ids}::uuid[])
`

type OwnApproval = Pick<Approval, 'user_id' | 'via' | 'comment' | 'answers' | 'proof'>

const addApproval = (tx: Tx, { id, organization_id }: Resource<'gate'>, own: OwnApproval) => tx`
  insert into gate_approvals (gate_id, organization_id, user_id, comment, via, answers, proof, counted)
  values (${id}, ${organization_id}, ${own.user_id}, ${own.comment}, ${own.via}, ${tx.json(own.answers)}, ${own.proof}, true)
`

/** Makes a new version of the gate: its entity tag changes with its approvals. */
async function touch(tx: Tx, { id, organization_id }: Resource<'gate'>): Promise<Gate> {
  const [gate] = await tx<[Gate]>`
    update gates
    set updated_at = now()
    where gates.id = ${id} and gates.organization_id = ${organization_id}
    returning ${fullGateColumns}
  `
  return gate
}

/** Whether a person has approved a gate whose approvals are enough by now: those of people who are back in its groups count again. */
const completes = ({ gate, approval }: LockedToDecide, by: Caller): boolean =>
  gate.approvals.some(({ user_id, counts }) => counts && user_id === by.id) && filled(approval).is_filled

/** Lets the execution of a decided gate run again if none of its other gates is pending. */
export const resume = async (tx: Tx, by: Caller, { execution, waits_for_others }: LockedGate): Promise<ShortExecution | null> =>
  execution === null || waits_for_others ? execution : await transitionExecution(tx, by, execution, 'running')

/**
 * Approves a gate. The approval with which those that count are enough decides it; if no other gate of its execution is pending, the execution
 * runs again.
 * @param proof what `proveDecision` has verified
 * @throws Problem `not_found`, `forbidden`, `validation_failed`, `invalid_transition`, `decision_not_allowed_here`, `self_approval`,
 *   `already_approved`, `subject_changed`, `passkey_required`
 */
export async function approveGate(
  tx: Tx,
  by: Caller,
  gate: Resource<'gate'>,
  input: ApprovalInput,
  via: Way,
  proof: Proof | null = null,
): Promise<Gate> {
  const locked = await lockToDecide(tx, by, gate)
  const { gate: before, execution } = locked
  requireStanding(locked, 'approve')
  requireBinding(before, input)
  const answers = answersTo(before.fields, via === 'api' ? input.answers : typedAnswers(before.fields, input.answers))
  requireOpen(locked, by, 'approved')
  requireWay(before, via)
  const isAgain = completes(locked, by)
  if (!isAgain) await requireApprover(tx, locked, by)
  requireSameBinding(before, input)
  requireProof(before, proof)
  const own = { user_id: by.id, via, comment: input.comment ?? null, answers, proof }
  const { is_filled, missing } = filled(withApproval(locked.approval, { user_id: by.id, group_ids: locked.by.group_ids }))
  if (!is_filled) {
    const [, approved] = await beforeExpiry('approved', () =>
      Promise.all([addApproval(tx, gate, own).execute(), touch(tx, gate)]),
    )
    await reportApproval(tx, by, gate, approved, execution, missing)
    return approved
  }
  const others = before.approvals.filter(({ user_id }) => user_id !== by.id)
  const [, decided] = await beforeExpiry('approved', async () => {
    // The new one replaces it, with its answers and its proof, and is checked by the database as the first one was.
    if (isAgain) await removeApproval(tx, gate, by)
    return Promise.all([
      addApproval(tx, gate, own).execute(),
      decide(tx, by, gate, 'approved', via, input, { approvals: others }, own),
    ])
  })
  await emitGate(tx, by, gate, 'gate.approved', decided, await resume(tx, by, locked))
  return decided
}

const removeApproval = (tx: Tx, { id, organization_id }: Resource<'gate'>, by: Caller) => tx`
  delete from gate_approvals where gate_id = ${id} and organization_id = ${organization_id} and user_id = ${by.id}
`

/** Emits and records an approval after which others are missing. */
async function reportApproval(
  tx: Tx,
  by: Caller,
  gate: Resource<'gate'>,
  approved: Gate,
  execution: ShortExecution | null,
  missing: string[],
): Promise<void> {
  const approval = approved.approvals.find(({ user_id }) => user_id === by.id) as Approval
  const references = { optional_requirement_id: execution?.requirement_id ?? null }
  await emit(tx, by, gate, 'gate.approval_added', { gate: shortGate(approved), approval }, references)
  const isByGroups = approved.rules.approvers.length > 0
  const left = isByGroups ? missing.join(', ') : `${countingApprovals(approved).length} of ${approved.required_approvals}`
  const sentence = `${by.name} approved the gate ${approved.name}${withProof(approval.proof)}: ${left}${isByGroups ? ' needed' : ''}`
  await recordGate(tx, by, gate, 'gate.approval_added', approved, stating(sentence, approval.comment))
}

/**
 * Rejects a gate: its execution fails, and the other pending gates of the execution are cancelled. One rejection decides, also
 * by a person who approved before.
 * @throws Problem `not_found`, `forbidden`, `invalid_transition`, `decision_not_allowed_here`
 */
export async function rejectGate(tx: Tx, by: Caller, gate: Resource<'gate'>, input: Rejection, via: Way): Promise<Gate> {
  const locked = await lockToDecide(tx, by, gate)
  const { gate: before, execution } = locked
  requireStanding(locked, 'reject')
  requireOpen(locked, by, 'rejected')
  requireWay(before, via)
  const decided = await beforeExpiry('rejected', () => decide(tx, by, gate, 'rejected', via, input, before))
  const failed =
    execution && (await transitionExecution(tx, by, execution, 'failed', { error: `The gate ${decided.name} was rejected.` }))
  await emitGate(tx, by, gate, 'gate.rejected', decided, failed)
  if (failed) await recordTransition(tx, by, gate, 'execution.failed', failed)
  return decided
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
