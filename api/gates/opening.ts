/** Opens gates: in an execution, which waits for them, or in a project. */

import type { Gate } from '../../core/gates/gates.ts'
import { openGate as open, type Parent } from '../../core/openings/opening.ts'
import type { Tx } from '../../sql/index.ts'
import { lockExecution, transitionExecution } from '../executions/executions.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { invalidTransition, notFound, Problem } from '../problems.ts'
import { evidenceOf, fieldsOf, subjectOf } from './evidence.ts'
import { rulesFor } from './rules.ts'
import type { GateInput } from './schema.ts'

/** Opens a gate: its execution waits from then on. @throws Problem `gate_open`, `gate_limit_reached` */
export async function openGate(tx: Tx, by: Caller, execution: Resource<'execution'>, input: GateInput): Promise<Gate> {
  const before = await lockExecution(tx, execution)
  if (before.status !== 'awaiting_gate') await transitionExecution(tx, by, before, 'awaiting_gate')
  return openIn(tx, by, { scope: execution, execution_id: execution.id, requirement_id: before.requirement_id }, input)
}

/** Opens a gate in a project: nothing waits for it. @throws Problem `gate_open`, `gate_limit_reached` */
export async function openProjectGate(tx: Tx, by: Caller, project: Resource<'project'>, input: GateInput): Promise<Gate> {
  // Gates of a project open one after the other, so that each sees the one that it replaces.
  const [locked] = await tx<{ id: string }[]>`
    select id from projects where id = ${project.id} and organization_id = ${project.organization_id} for no key update
  `
  if (!locked) throw notFound('project')
  return openIn(tx, by, { scope: project, execution_id: null, requirement_id: null }, input)
}

/** Opens a gate. Its parent is locked. */
async function openIn(tx: Tx, by: Caller, parent: Parent, input: GateInput): Promise<Gate> {
  const rules = await rulesFor(tx, parent.scope, input)
  const question = {
    name: input.name,
    description: input.description ?? null,
    environment: input.environment ?? null,
    subject: input.subject ? subjectOf(input.subject) : null,
    evidence: input.evidence ? evidenceOf(input.evidence) : null,
    fields: fieldsOf(input.fields ?? []),
  }
  const opened = await open(tx, by, parent, question, rules)
  if (!('code' in opened)) return opened
  if (opened.code === 'execution_expired') throw invalidTransition('execution', 'failed', 'awaiting_gate')
  throw new Problem(opened.code, opened.detail)
}
