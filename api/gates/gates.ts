import { emit } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { withoutArtifacts } from '../executions/columns.ts'
import { lockExecution, recordTransition, transitionExecution } from '../executions/executions.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller, ProjectResource, Resource } from '../plugins/request-context.ts'
import { invalidTransition, notFound, Problem } from '../problems.ts'
import type { Decision, Gate, GateInput } from './schema.ts'

const MAX_GATES = 100

const gateColumns = sql`
  id, organization_id, workspace_id, project_id, execution_id, name, description, status, comment,
  created_by, decided_by, decided_at, created_at, updated_at
`

/** A gate as the API shows it. */
export async function getGate(db: Queryable, { id, organization_id }: Resource): Promise<Gate> {
  const [gate] = await db<Gate[]>`
    select ${gateColumns} from gates where id = ${id} and organization_id = ${organization_id}
  `
  if (!gate) throw notFound('gate')
  return gate
}

/** The gates of an execution, newest first. */
export function listExecutionGates(db: Queryable, { id, organization_id }: Resource, { limit, after }: Slice) {
  return db<Gate[]>`
    select ${gateColumns}
    from gates
    where execution_id = ${id}
      and organization_id = ${organization_id}
      and (${after}::uuid is null or (created_at, id) < (select created_at, id from gates where id = ${after} and organization_id = ${organization_id}))
    order by created_at desc, id desc
    limit ${limit}
  `
}

/** The gates of a project, newest first, of one status if it is given. */
export function listProjectGates(
  db: Queryable,
  { id, organization_id }: Resource,
  status: string | null,
  { limit, after }: Slice,
) {
  return db<Gate[]>`
    select ${gateColumns}
    from gates
    where project_id = ${id}
      and organization_id = ${organization_id}
      and (${status}::text is null or status = ${status})
      and (${after}::uuid is null or (created_at, id) < (select created_at, id from gates where id = ${after} and organization_id = ${organization_id}))
    order by created_at desc, id desc
    limit ${limit}
  `
}

/** Opens a gate. Its execution becomes `awaiting_gate`. */
export async function openGate(tx: Tx, by: Caller, place: ProjectResource, input: GateInput): Promise<Gate> {
  const before = await lockExecution(tx, place)
  if (before.status !== 'awaiting_gate') await transitionExecution(tx, by, before, 'awaiting_gate')
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) as count from gates where execution_id = ${place.id} and organization_id = ${place.organization_id}
  `
  if (count >= MAX_GATES) throw new Problem('gate_limit_reached', `An execution can have at most ${MAX_GATES} gates.`)
  const [gate] = await tx<[Gate]>`
    insert into gates (organization_id, workspace_id, project_id, execution_id, name, description, created_by)
    values (
      ${place.organization_id}, ${place.workspace_id}, ${place.project_id}, ${place.id}, ${input.name},
      ${input.description ?? null}, ${by.id}
    )
    returning ${gateColumns}
  `
  await emit(tx, by, place, 'gate.pending', { gate })
  await record(tx, by, place, {
    action: 'gate.pending',
    resource_type: 'gate',
    resource_id: gate.id,
    detail: `${by.name} opened the gate ${gate.name}.`,
  })
  return gate
}

/** Decides a pending gate. Locks the execution first, in the same order as all transitions, to avoid deadlocks. */
async function decide(tx: Tx, by: Caller, place: ProjectResource, status: 'approved' | 'rejected', { comment }: Decision) {
  const [found] = await tx<{ execution_id: string }[]>`
    select execution_id from gates where id = ${place.id} and organization_id = ${place.organization_id}
  `
  if (!found) throw notFound('gate')
  const execution = await lockExecution(tx, { ...place, id: found.execution_id })
  const [gate] = await tx<Gate[]>`
    update gates
    set status = ${status}, comment = ${comment ?? null}, decided_by = ${by.id}, decided_at = now()
    where id = ${place.id}
      and organization_id = ${place.organization_id}
      and status = 'pending'
    returning ${gateColumns}
  `
  if (!gate) {
    const [current] = await tx<{ status: string }[]>`
      select status from gates where id = ${place.id} and organization_id = ${place.organization_id}
    `
    throw invalidTransition('gate', current?.status ?? 'deleted', status)
  }
  await record(tx, by, place, {
    action: `gate.${status}`,
    resource_type: 'gate',
    resource_id: gate.id,
    detail: `${by.name} ${status} the gate ${gate.name}.`,
  })
  return { gate, execution }
}

/** Approves a gate. When no gate is pending any more, the execution runs again. */
export async function approveGate(tx: Tx, by: Caller, place: ProjectResource, decision: Decision): Promise<Gate> {
  const { gate, execution: before } = await decide(tx, by, place, 'approved', decision)
  const [{ has_pending }] = await tx<[{ has_pending: boolean }]>`
    select exists (
      select
      from gates
      where execution_id = ${gate.execution_id}
        and organization_id = ${gate.organization_id}
        and status = 'pending'
    ) as has_pending
  `
  const execution = has_pending ? before : await transitionExecution(tx, by, before, 'running')
  await emit(tx, by, place, 'gate.approved', { gate, execution: withoutArtifacts(execution) })
  return gate
}

/** Rejects a gate. Its execution fails, and the other pending gates are cancelled. */
export async function rejectGate(tx: Tx, by: Caller, place: ProjectResource, decision: Decision): Promise<Gate> {
  const { gate, execution: before } = await decide(tx, by, place, 'rejected', decision)
  const execution = await transitionExecution(tx, by, before, 'failed', { error: `The gate ${gate.name} was rejected.` })
  await emit(tx, by, place, 'gate.rejected', { gate, execution: withoutArtifacts(execution) })
  await recordTransition(tx, by, { ...place, id: execution.id }, 'execution.failed', execution)
  return gate
}
