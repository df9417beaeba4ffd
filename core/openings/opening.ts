/** Opens gates. Their execution or project is locked, and their policies are. */

import type { Json, Tx } from '../../sql/index.ts'
import { emit } from '../events/outbox.ts'
import { bindingOf } from '../gates/binding.ts'
import {
  type Evidence,
  fullGateColumnsWith,
  type Gate,
  type GateField,
  gateColumns,
  type Subject,
  shortGate,
} from '../gates/gates.ts'
import type { OpeningRules } from '../gates/rules.ts'
import type { GateSource } from '../gates/sources.ts'
import { record } from '../security/audit.ts'
import { type Actor, SYSTEM } from '../tenants/actors.ts'
import type { ProjectScope } from '../tenants/scopes.ts'

/** Gates that an execution can have, and pending ones that a project can have without an execution. */
export const MAX_GATES = 100

/** How often in a row changes can be requested at the gates of an execution with one name: an agent may not understand them. */
const MAX_CHANGE_REQUESTS = 20

/** A reminder is sent when this part of the time until the expiry has passed, if that time is at least so long. */
const REMINDER = { least_seconds: 600, at: 0.8 }

/** What a gate belongs to. */
export interface Parent {
  scope: ProjectScope
  execution_id: string | null
  requirement_id: string | null
}

/** What a gate asks for, as it is stored. */
interface Question {
  name: string
  description: string | null
  environment: string | null
  subject: Subject | null
  evidence: Evidence | null
  fields: GateField[]
  /** The workflow run that asks for it; absent if it is asked for here. */
  source?: Omit<GateSource, 'state' | 'answered_at' | 'error'>
}

/** What a gate that Signalbox opens has besides. */
export interface Origin {
  /** The people whose work it is about: for them it is as if they had opened it. */
  asked_by: string[]
  /** How many of its checks, the last ones, Signalbox has added. */
  added_checks: number
}

const OPENED_BY_CALLER: Origin = { asked_by: [], added_checks: 0 }

/** Why a gate was not opened. */
interface Refused {
  code: 'gate_open' | 'gate_limit_reached' | 'execution_expired'
  detail: string
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

/** Why there is no room for another gate; null if there is. */
function lackOfRoom({ execution_id }: Parent, { count, change_requests }: Start): Refused | null {
  const code = 'gate_limit_reached'
  if (change_requests >= MAX_CHANGE_REQUESTS) {
    const detail = `Changes were requested ${MAX_CHANGE_REQUESTS} times in a row at gates of this name. A person has to look at the execution: fail or cancel it, and start another.`
    return { code, detail }
  }
  if (count < MAX_GATES) return null
  const detail =
    execution_id === null
      ? `A project can have at most ${MAX_GATES} pending gates without an execution.`
      : `An execution can have at most ${MAX_GATES} gates.`
  return { code, detail }
}

const jsonOrNull = (tx: Tx, value: unknown) => (value === null ? null : tx.json(value as Json))

/** Opens a gate, which replaces one with another subject. @param origin of one that Signalbox opens */
export async function openGate(
  tx: Tx,
  by: Actor,
  parent: Parent,
  question: Question,
  { expires_in_seconds, ...ruled }: OpeningRules,
  { asked_by, added_checks }: Origin = OPENED_BY_CALLER,
): Promise<Gate | Refused> {
  const { scope, execution_id } = parent
  const { name, description, environment, subject, fields } = question
  const start = await readStart(tx, parent, name, expires_in_seconds)
  const refused = lackOfRoom(parent, start)
  if (refused) return refused
  const { id, created_at, expires_at } = start
  const rules = { ...ruled, expires_at }
  const { artifacts = null, ...evidence } = question.evidence ?? {}
  const superseded = subject === null ? null : await supersede(tx, parent, { ...question, id })
  if (superseded !== null && typeof superseded === 'object') return superseded
  const binding = bindingOf({
    id,
    project_id: scope.project_id,
    environment,
    subject,
    evidence: question.evidence,
    fields,
    rules,
  })
  const [gate] = await tx<[Gate]>`
    insert into gates (
      id, organization_id, workspace_id, project_id, execution_id, name, description, created_by,
      asked_by, added_checks, environment, subject, evidence, artifacts, fields, binding,
      required_approvals, prevent_self_approval, decide_via, expires_at, remind_at,
      approvers, require_subject, require_checks, require_passkey, gate_required, source, created_at, updated_at
    )
    values (
      ${id}, ${scope.organization_id}, ${scope.workspace_id}, ${scope.project_id}, ${execution_id}, ${name},
      ${description}, ${by.id}, ${asked_by}::uuid[], ${added_checks}, ${environment}, ${jsonOrNull(tx, subject)},
      ${jsonOrNull(tx, question.evidence && evidence)}, ${jsonOrNull(tx, artifacts)}, ${jsonOrNull(tx, fields)}, ${binding},
      ${rules.required_approvals}, ${rules.prevent_self_approval}, ${rules.decide_via}, ${expires_at}, ${start.remind_at},
      ${jsonOrNull(tx, rules.approvers)}, ${rules.require_subject}, ${rules.require_checks}, ${rules.require_passkey},
      ${rules.gate_required}, ${jsonOrNull(tx, question.source ?? null)}, ${created_at}, ${created_at}
    )
    returning ${fullGateColumnsWith(tx`'[]'::jsonb`)}
  `
  await emit(tx, by, scope, 'gate.pending', { gate: shortGate(gate) }, { optional_requirement_id: parent.requirement_id })
  const instead = superseded === null ? '' : ' It replaces an earlier one with another subject.'
  await recordGate(tx, by, scope, 'gate.pending', gate, `${by.name} opened the gate ${gate.name}.${instead}`)
  return gate
}

const recordGate = (tx: Tx, by: Actor, scope: ProjectScope, action: string, { id }: Gate, detail: string): Promise<void> =>
  record(tx, by, scope, { action, resource_type: 'gate', resource_id: id, detail })

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
 * @returns its id; null if there is none; why nothing can be opened
 */
async function supersede(
  tx: Tx,
  { scope, execution_id }: Parent,
  { id, name, environment, subject }: Pick<Gate, 'id' | 'name' | 'environment' | 'subject'>,
): Promise<string | null | Refused> {
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
    if (execution_id !== null) return { code: 'execution_expired', detail: `The gate ${open.id} has expired.` }
    await expire(tx, scope, open.id)
    return null
  }
  if (open.is_same)
    return { code: 'gate_open', detail: `The gate ${open.id} for the same subject is pending. Wait for its decision.` }
  await tx`
    update gates
    set status = 'cancelled', decided_at = now(), superseded_by = ${id}
    where id = ${open.id} and organization_id = ${scope.organization_id} and status = 'pending'
  `
  return open.id
}
