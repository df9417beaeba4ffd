/** Gates: questions to people that an execution waits for. */

import { emit } from '../../core/events/outbox.ts'
import { type Execution, withoutArtifacts } from '../../core/executions/records.ts'
import { recordTransition } from '../../core/executions/transitions.ts'
import { type Approval, type Gate, gateColumns, gateColumnsWith, type Way } from '../../core/gates.ts'
import type { Scope } from '../../core/scopes.ts'
import { record } from '../../core/security/audit.ts'
import { type Json, type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { lockExecution, transitionExecution } from '../executions/executions.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type Resource, type ResourceKey, resourceKey } from '../plugins/resources.ts'
import { invalidTransition, notFound, Problem } from '../problems.ts'
import { lockPolicy, requireApprover, requireWay, rulesOf } from './policy.ts'
import type { Decision, GateInput } from './schema.ts'
import { decisionText } from './state.ts'

/** Gates that an execution can have. */
export const MAX_GATES = 100

/** A reminder is sent when this part of the time until the expiry has passed, if that time is at least so long. */
const REMINDER = { least_seconds: 600, at: 0.8 }

/** A gate. @throws Problem `not_found` */
export async function getGate(db: Queryable, { id, organization_id }: ResourceKey<'gate'>): Promise<Gate> {
  const [gate] = await db<Gate[]>`
    select ${gateColumns} from gates where gates.id = ${id} and gates.organization_id = ${organization_id}
  `
  if (!gate) throw notFound('gate')
  return gate
}

/** The gates of an execution, newest first. */
export function listExecutionGates(db: Queryable, { id, organization_id }: ResourceKey<'execution'>, { limit, after }: Slice) {
  return db<Gate[]>`
    select ${gateColumns}
    from gates
    where gates.execution_id = ${id}
      and gates.organization_id = ${organization_id}
      and (${after}::uuid is null or (gates.created_at, gates.id) < (
        select created_at, id from gates where id = ${after} and organization_id = ${organization_id}
      ))
    order by gates.created_at desc, gates.id desc
    limit ${limit}
  `
}

/** The gates of a project, newest first, of one status if it is given. */
export function listProjectGates(
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  status: string | null,
  { limit, after }: Slice,
) {
  return db<Gate[]>`
    select ${gateColumns}
    from gates
    where gates.project_id = ${id}
      and gates.organization_id = ${organization_id}
      and (${status}::text is null or gates.status = ${status})
      and (${after}::uuid is null or (gates.created_at, gates.id) < (
        select created_at, id from gates where id = ${after} and organization_id = ${organization_id}
      ))
    order by gates.created_at desc, gates.id desc
    limit ${limit}
  `
}

/** Opens a gate: its execution waits from then on. */
export async function openGate(tx: Tx, by: Caller, execution: Resource<'execution'>, input: GateInput): Promise<Gate> {
  const before = await lockExecution(tx, execution)
  if (before.status !== 'awaiting_gate') await transitionExecution(tx, by, before, 'awaiting_gate')
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) as count from gates where execution_id = ${execution.id} and organization_id = ${execution.organization_id}
  `
  if (count >= MAX_GATES) throw new Problem('gate_limit_reached', `An execution can have at most ${MAX_GATES} gates.`)
  const rules = rulesOf(await lockPolicy(tx, execution), input)
  const seconds = rules.expires_in_seconds
  const remindAfter = seconds !== null && seconds >= REMINDER.least_seconds ? seconds * REMINDER.at : null
  const [gate] = await tx<[Gate]>`
    insert into gates (
      organization_id, workspace_id, project_id, execution_id, name, description, created_by,
      required_approvals, prevent_self_approval, decide_via, expires_at, remind_at
    )
    values (
      ${execution.organization_id}, ${execution.workspace_id}, ${execution.project_id}, ${execution.id}, ${input.name},
      ${input.description ?? null}, ${by.id},
      ${rules.required_approvals}, ${rules.prevent_self_approval}, ${rules.decide_via},
      now() + ${seconds}::float8 * interval '1 second', now() + ${remindAfter}::float8 * interval '1 second'
    )
    returning ${gateColumnsWith(tx`'[]'::jsonb`)}
  `
  await emit(tx, by, execution, 'gate.pending', { gate }, { requirement_id: before.requirement_id })
  await recordGate(tx, by, execution, 'gate.pending', gate, `${by.name} opened the gate ${gate.name}.`)
  return gate
}

const recordGate = (tx: Tx, by: Caller, scope: Scope, action: string, { id }: Gate, detail: string): Promise<void> =>
  record(tx, by, scope, { action, resource_type: 'gate', resource_id: id, detail })

/** The problem of a decision that comes too late. Whoever has decided already may not know: the answer may have been lost. */
function noLongerOpen(gate: Gate, by: Caller, to: 'approved' | 'rejected'): Problem {
  const problem = invalidTransition('gate', gate.status === 'pending' ? 'expired' : gate.status, to)
  const decision = decisionText(gate, by.id)
  return decision === null ? problem : new Problem(problem.code, `${decision} ${problem.detail}`)
}

/**
 * Locks the execution of a gate, so that decisions on its gates happen one after the other, and reads the gate.
 *
 * @throws Problem `not_found`; `invalid_transition` if the gate is not pending, or has expired
 */
async function lockPending(
  tx: Tx,
  by: Caller,
  gate: Resource<'gate'>,
  to: 'approved' | 'rejected',
): Promise<{ gate: Gate; execution: Execution }> {
  const [opened] = await tx<{ execution_id: string }[]>`
    select execution_id from gates where id = ${gate.id} and organization_id = ${gate.organization_id}
  `
  if (!opened) throw notFound('gate')
  const execution = await lockExecution(tx, resourceKey('execution', opened.execution_id, gate))
  const [found] = await tx<(Gate & { is_open: boolean })[]>`
    select ${gateColumns}, gate_is_open(gates.status, gates.expires_at) as is_open
    from gates
    where gates.id = ${gate.id}
      and gates.organization_id = ${gate.organization_id}
  `
  if (!found) throw notFound('gate')
  // A gate that has expired stays pending until a worker marks it.
  if (!found.is_open) throw noLongerOpen(found, by, to)
  return { gate: found, execution }
}

/** Constraints that a decision violates if the gate expires after `lockPending` has read it. */
const EXPIRED_MEANWHILE = new Set<string | undefined>(['gate_approvals_open', 'gates_expired'])

/** @throws Problem `invalid_transition` if the database finds that the gate has expired */
async function beforeExpiry(to: 'approved' | 'rejected', write: () => Promise<Gate>): Promise<Gate> {
  try {
    return await write()
  } catch (error) {
    if (EXPIRED_MEANWHILE.has(violatedConstraint(error))) throw invalidTransition('gate', 'expired', to)
    throw error
  }
}

async function decide(
  tx: Tx,
  by: Caller,
  gate: Resource<'gate'>,
  status: 'approved' | 'rejected',
  via: Way,
  { comment }: Decision,
  approvals: Approval[],
): Promise<Gate> {
  const [decided] = await tx<[Gate]>`
    update gates
    set status      = ${status},
        comment     = ${comment ?? null},
        decided_by  = ${by.id},
        decided_via = ${via},
        decided_at  = now()
    where gates.id = ${gate.id}
      and gates.organization_id = ${gate.organization_id}
    returning ${gateColumnsWith(tx`${tx.json(approvals as unknown as Json)}::jsonb`)}
  `
  await recordGate(tx, by, gate, `gate.${status}`, decided, `${by.name} ${status} the gate ${decided.name}.`)
  return decided
}

async function addApproval(tx: Tx, by: Caller, gate: Resource<'gate'>, via: Way, { comment }: Decision): Promise<Gate> {
  // In one round trip. The update makes a new version of the gate: its entity tag changes with its approvals.
  const [, , approved] = await Promise.all([
    tx`
      insert into gate_approvals (gate_id, organization_id, user_id, comment, via)
      values (${gate.id}, ${gate.organization_id}, ${by.id}, ${comment ?? null}, ${via})
    `.execute(),
    tx`
      update gates
      set updated_at = now()
      where gates.id = ${gate.id}
        and gates.organization_id = ${gate.organization_id}
    `.execute(),
    getGate(tx, gate),
  ])
  return approved
}

/**
 * Approves a gate. The last approval that it requires decides it; if no other gate of the execution is pending, the execution
 * runs again.
 *
 * @param via how the person decided
 * @throws Problem `not_found`, `invalid_transition`, `decision_not_allowed_here`, `self_approval`, `already_approved`
 */
export async function approveGate(tx: Tx, by: Caller, gate: Resource<'gate'>, decision: Decision, via: Way): Promise<Gate> {
  const { gate: before, execution } = await lockPending(tx, by, gate, 'approved')
  requireWay(before, via)
  await requireApprover(tx, before, execution.started_by, by)
  const approved = await beforeExpiry('approved', () => addApproval(tx, by, gate, via, decision))
  const missing = approved.required_approvals - approved.approvals.length
  if (missing > 0) {
    const approval = approved.approvals.find(({ user_id }) => user_id === by.id) as Approval
    await emit(tx, by, gate, 'gate.approval_added', { gate: approved, approval }, { requirement_id: execution.requirement_id })
    const detail = `${by.name} approved the gate ${approved.name}: ${approved.approvals.length} of ${approved.required_approvals}.`
    await recordGate(tx, by, gate, 'gate.approval_added', approved, detail)
    return approved
  }
  const decided = await beforeExpiry('approved', () => decide(tx, by, gate, 'approved', via, decision, approved.approvals))
  const [{ has_pending }] = await tx<[{ has_pending: boolean }]>`
    select exists (
      select 1
      from gates
      where execution_id = ${decided.execution_id}
        and organization_id = ${decided.organization_id}
        and status = 'pending'
    ) as has_pending
  `
  const current = has_pending ? execution : await transitionExecution(tx, by, execution, 'running')
  await emit(
    tx,
    by,
    gate,
    'gate.approved',
    { gate: decided, execution: withoutArtifacts(current) },
    { requirement_id: current.requirement_id },
  )
  return decided
}

/**
 * Rejects a gate: its execution fails, and its other pending gates are cancelled. One rejection decides, also that of a person
 * who approved before.
 *
 * @param via how the person decided
 * @throws Problem `not_found`, `invalid_transition`, `decision_not_allowed_here`
 */
export async function rejectGate(tx: Tx, by: Caller, gate: Resource<'gate'>, decision: Decision, via: Way): Promise<Gate> {
  const { gate: before, execution } = await lockPending(tx, by, gate, 'rejected')
  requireWay(before, via)
  const decided = await beforeExpiry('rejected', () => decide(tx, by, gate, 'rejected', via, decision, before.approvals))
  const failed = await transitionExecution(tx, by, execution, 'failed', { error: `The gate ${decided.name} was rejected.` })
  await emit(
    tx,
    by,
    gate,
    'gate.rejected',
    { gate: decided, execution: withoutArtifacts(failed) },
    { requirement_id: failed.requirement_id },
  )
  await recordTransition(tx, by, gate, 'execution.failed', failed)
  return decided
}
