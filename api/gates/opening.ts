/** Opens gates: in an execution, which waits for them, or in a project. */

import { emit } from '../../core/events/outbox.ts'
import { fullGateColumnsWith, type Gate, gateColumns, shortGate } from '../../core/gates/gates.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { lockExecution, transitionExecution } from '../executions/executions.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { invalidTransition, notFound, Problem } from '../problems.ts'
import { recordGate } from './decisions.ts'
import { bindingOf, evidenceOf, fieldsOf, subjectOf } from './evidence.ts'
import { MAX_GATES } from './gates.ts'
import { rulesFor } from './rules.ts'
import type { GateInput } from './schema.ts'

/** How often in a row changes can be requested at the gates of an execution with one name: an agent may not understand them. */
const MAX_CHANGE_REQUESTS = 20

/** A reminder is sent when this part of the time until the expiry has passed, if that time is at least so long. */
const REMINDER = { least_seconds: 600, at: 0.8 }

type Parent = { scope: ProjectScope; execution_id: string | null; requirement_id: string | null }

/** Opens a gate: its execution waits from then on. @throws Problem `gate_open`, `gate_limit_reached` */
export async function openGate(tx: Tx, by: Caller, execution: Resource<'execution'>, input: GateInput): Promise<Gate> {
  const before = await lockExecution(tx, execution)
  if (before.status !== 'awaiting_gate') await transitionExecution(tx, by, before, 'awaiting_gate')
  return open(tx, by, { scope: execution, execution_id: execution.id, requirement_id: before.requirement_id }, input)
}

/** Opens a gate in a project: nothing waits for it. @throws Problem `gate_open`, `gate_limit_reached` */
export async function openProjectGate(tx: Tx, by: Caller, project: Resource<'project'>, input: GateInput): Promise<Gate> {
  // Gates of a project open one after the other, so that each sees the one that it replaces.
  const [locked] = await tx<{ id: string }[]>`
    select id from projects where id = ${project.id} and organization_id = ${project.organization_id} for no key update
  `
  if (!locked) throw notFound('project')
  return open(tx, by, { scope: project, execution_id: null, requirement_id: null }, input)
}

interface Start {
  id: string
  count: number
  /** How many of the last decisions on gates of this name were requests for changes, if nothing else was decided among the last ones. */
  change_requests: number
  created_at: string
  expires_at: string | null
  remind_at: string | null
}

async function readStart(tx: Tx, { scope, execution_id }: Parent, name: string, seconds: number | null): Promise<Start> {
  const remindAfter = seconds !== null && seconds >= REMINDER.least_seconds ? seconds * REMINDER.at : null
  const isCounted = execution_id === null ? tx`execution_id is null and status = 'pending'` : tx`execution_id = ${execution_id}`
  const [start] = await tx<[Start]>`
    select
      uuidv7() as id, count(*) as count,
      (
        select count(*) filter (where status = 'changes_requested')
        from (
          select status
          from gates
          where execution_id = ${execution_id}
            and organization_id = ${scope.organization_id}
            and name = ${name}
            and status not in ('pending', 'cancelled')
          order by decided_at desc, id desc
          limit ${MAX_CHANGE_REQUESTS}
        ) as decided
      ) as change_requests,
      now()::timestamptz(3) as created_at,
      (now() + ${seconds}::float8 * interval '1 second')::timestamptz(3) as expires_at,
      (now() + ${remindAfter}::float8 * interval '1 second')::timestamptz(3) as remind_at
    from gates
    where project_id = ${scope.project_id}
      and organization_id = ${scope.organization_id}
      and ${isCounted}
  `
  return start
}

function requireRoom({ execution_id }: Parent, { count, change_requests }: Start): void {
  if (change_requests >= MAX_CHANGE_REQUESTS) {
    const detail = `Changes were requested ${MAX_CHANGE_REQUESTS} times in a row at gates of this name. A person has to look at the execution: fail or cancel it, and start another.`
    throw new Problem('gate_limit_reached', detail)
  }
  if (count < MAX_GATES) return
  const detail =
    execution_id === null
      ? `A project can have at most ${MAX_GATES} pending gates without an execution.`
      : `An execution can have at most ${MAX_GATES} gates.`
  throw new Problem('gate_limit_reached', detail)
}

/** Opens a gate. Its parent is locked. */
async function open(tx: Tx, by: Caller, parent: Parent, input: GateInput): Promise<Gate> {
  const { scope, execution_id } = parent
  const { expires_in_seconds, ...ruled } = await rulesFor(tx, scope, input)
  const fixed = {
    project_id: scope.project_id,
    environment: input.environment ?? null,
    subject: input.subject ? subjectOf(input.subject) : null,
    evidence: input.evidence ? evidenceOf(input.evidence) : null,
    fields: fieldsOf(input.fields ?? []),
  }
  const start = await readStart(tx, parent, input.name, expires_in_seconds)
  requireRoom(parent, start)
  const { id, created_at, expires_at } = start
  const rules = { ...ruled, expires_at }
  const { artifacts = null, ...evidence } = fixed.evidence ?? {}
  const superseded = fixed.subject === null ? null : await supersede(tx, parent, input.name, { ...fixed, id })
  const [gate] = await tx<[Gate]>`
    insert into gates (
      id, organization_id, workspace_id, project_id, execution_id, name, description, created_by,
      environment, subject, evidence, artifacts, fields, binding,
      required_approvals, prevent_self_approval, decide_via, expires_at, remind_at,
      approvers, require_subject, require_checks, require_passkey, gate_required, created_at, updated_at
    )
    values (
      ${id}, ${scope.organization_id}, ${scope.workspace_id}, ${scope.project_id}, ${execution_id}, ${input.name},
      ${input.description ?? null}, ${by.id},
      ${fixed.environment}, ${jsonOrNull(tx, fixed.subject)}, ${jsonOrNull(tx, fixed.evidence && evidence)},
      ${jsonOrNull(tx, artifacts)}, ${jsonOrNull(tx, fixed.fields)},
      ${bindingOf({ ...fixed, id, rules })},
      ${rules.required_approvals}, ${rules.prevent_self_approval}, ${rules.decide_via}, ${expires_at}, ${start.remind_at},
      ${jsonOrNull(tx, rules.approvers)}, ${rules.require_subject}, ${rules.require_checks}, ${rules.require_passkey},
      ${rules.gate_required}, ${created_at}, ${created_at}
    )
    returning ${fullGateColumnsWith(tx`'[]'::jsonb`)}
  `
  await emit(tx, by, scope, 'gate.pending', { gate: shortGate(gate) }, { optional_requirement_id: parent.requirement_id })
  const instead = superseded === null ? '' : ' It replaces an earlier one with another subject.'
  await recordGate(tx, by, scope, 'gate.pending', gate, `${by.name} opened the gate ${gate.name}.${instead}`)
  return gate
}

const jsonOrNull = (tx: Tx, value: unknown) => (value === null ? null : tx.json(value as Json))

/** Records that a gate of a project expired. */
async function expire(tx: Tx, scope: ProjectScope, id: string): Promise<void> {
  const [gate] = await tx<[Gate]>`
    update gates
    set status = 'expired', decided_at = now()
    where gates.id = ${id} and gates.organization_id = ${scope.organization_id}
    returning ${gateColumns}
  `
  await emit(tx, SYSTEM, scope, 'gate.expired', { gate, execution: null }, { optional_requirement_id: null })
  await recordGate(tx, SYSTEM, scope, 'gate.expired', gate, `The gate ${gate.name} expired without a decision.`)
}

/**
 * Cancels the pending gate of the same parent, name and environment whose subject is another one. One that has expired is recorded as such.
 * @returns its id; null if there is none
 * @throws Problem `gate_open` if its subject is the same
 */
async function supersede(
  tx: Tx,
  { scope, execution_id }: Parent,
  name: string,
  { id, environment, subject }: Pick<Gate, 'id' | 'environment' | 'subject'>,
): Promise<string | null> {
  const [open] = await tx<{ id: string; is_same: boolean; is_open: boolean }[]>`
    select id, subject = ${jsonOrNull(tx, subject)} as is_same, gate_is_open(status, expires_at) as is_open
    from gates
    where organization_id = ${scope.organization_id}
      and project_id = ${scope.project_id}
      and execution_id is not distinct from ${execution_id}
      and name = ${name}
      and environment is not distinct from ${environment}
      and status = 'pending'
      and subject is not null
    for no key update
  `
  if (!open) return null
  if (!open.is_open) {
    // A worker has not recorded yet that it expired. An execution fails then.
    if (execution_id !== null) throw invalidTransition('execution', 'failed', 'awaiting_gate')
    await expire(tx, scope, open.id)
    return null
  }
  if (open.is_same) throw new Problem('gate_open', `The gate ${open.id} for the same subject is pending. Wait for its decision.`)
  await tx`
    update gates
    set status = 'cancelled', decided_at = now(), superseded_by = ${id}
    where id = ${open.id} and organization_id = ${scope.organization_id} and status = 'pending'
  `
  return open.id
}
