/** Gates of which something is to be said at a time, once: reminders, expiry, and reviews of approvals. */
import { emit, emitAll } from '../../core/events/outbox.ts'
import { changeStatus, findAndLockExecution, recordTransition } from '../../core/executions/transitions.ts'
import { type Gate, gateColumns } from '../../core/gates/gates.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { type ShortExecution, shortExecutionColumns } from '../../core/records/executions.ts'
import { record } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { isActiveOrganization, type ProjectScope } from '../../core/tenants/scopes.ts'
import type { Fragment, Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { dueRows, serveAllDue } from '../process/tenant-groups.ts'

const BATCH = 100

interface TakenGate extends Gate {
  is_open: boolean
  requirement_id: string | null
}

/** Takes gates that fulfil a condition, earliest first, and clears the time, so that each is taken once. */
async function takeDue(tx: Tx, time: 'remind_at' | 'review_due_at', condition: Fragment): Promise<TakenGate[]> {
  const column = tx(time)
  const taken = await tx<{ id: string; organization_id: string }[]>`
    with due as (
      select id, organization_id
      from gates
      where ${condition}
      order by ${column}
      limit ${BATCH}
      for no key update skip locked
    )
    update gates
    set ${column} = null
    from due
    where gates.id = due.id and gates.organization_id = due.organization_id
    returning gates.id, gates.organization_id
  `
  if (taken.length === 0) return []
  return tx<TakenGate[]>`
    select ${gateColumns}, gate_is_open(gates.status, gates.expires_at) as is_open, execution.requirement_id
    from gates
    left join executions as execution
      on execution.id = gates.execution_id
      and execution.organization_id = gates.organization_id
    where gates.id = any(${taken.map(({ id }) => id)}::uuid[])
      and gates.organization_id = any(${[...new Set(taken.map(({ organization_id }) => organization_id))]}::uuid[])
    order by gates.id
  `
}

interface DueGate extends ProjectScope {
  id: string
  execution_id: string | null
}

/** Expires one gate in a transaction of its own, as a decision of the gate would: its execution, if it has one, is locked first. */
function expire({ id, execution_id, ...scope }: DueGate): Promise<void> {
  return transaction(async (tx) => {
    const { organization_id } = scope
    const before = execution_id === null ? null : await findAndLockExecution(tx, { id: execution_id, organization_id })
    if (execution_id !== null && !before) return
    const expired = await tx`
      update gates
      set status = 'expired', decided_at = now()
      where gates.id = ${id}
        and gates.organization_id = ${scope.organization_id}
        and gates.status = 'pending'
    `
    if (expired.count === 0) return
    const [gate] = await tx<[Gate]>`
      select ${gateColumns}
      from gates
      where gates.id = ${id} and gates.organization_id = ${scope.organization_id}
    `
    const error = `The gate ${gate.name} expired without a decision.`
    const execution = before && (await changeStatus(tx, SYSTEM, before, 'failed', { error }))
    const data = { gate, execution }
    const references = { optional_requirement_id: execution?.requirement_id ?? null }
    await emit(tx, SYSTEM, scope, 'gate.expired', data, references)
    await record(tx, SYSTEM, scope, { action: 'gate.expired', resource_type: 'gate', resource_id: id, detail: error })
    if (execution) await recordTransition(tx, SYSTEM, scope, 'execution.failed', execution)
  })
}

async function expireBatch(): Promise<number> {
  const due = await acrossTenants(
    sql<DueGate[]>`
    select id, execution_id, organization_id, workspace_id, project_id
    from gates
    where status = 'pending'
      and expires_at <= now()
      and ${isActiveOrganization(sql`gates.organization_id`)}
    order by expires_at
    limit ${BATCH}
  `,
    'partly',
  )
  let expired = 0
  for (const gate of due) {
    // A failure for one gate must not stop the others.
    try {
      await expire(gate)
      expired++
    } catch (error) {
      log.warn({ error, gate_id: gate.id }, 'a gate could not be expired')
    }
  }
  return expired
}

export const remindOfGates = () =>
  serveAllDue(dueRows(sql`gates`, sql`status = 'pending' and remind_at <= now()`), BATCH, async (tx, condition) => {
    const gates = await takeDue(tx, 'remind_at', condition)
    const events = gates.flatMap(({ is_open, requirement_id, ...gate }) => {
      const references = { optional_requirement_id: requirement_id }
      return is_open ? { scope: gate, name: 'gate.expiring' as const, data: { gate }, references } : []
    })
    await emitAll(tx, SYSTEM, events)
    return gates.length
  })

export async function expireGates(): Promise<void> {
  while ((await expireBatch()) >= BATCH);
}

export const remindOfReviews = () =>
  serveAllDue(dueRows(sql`gates`, sql`review_due_at <= now()`), BATCH, async (tx, condition) => {
    const gates = await takeDue(tx, 'review_due_at', condition)
    if (gates.length === 0) return 0
    const executions = await tx<ShortExecution[]>`
      select ${shortExecutionColumns}
      from executions
      where id = any(${gates.map(({ execution_id }) => execution_id).filter((id) => id !== null)}::uuid[])
        and organization_id = any(${[...new Set(gates.map(({ organization_id }) => organization_id))]}::uuid[])
    `
    const byId = new Map(executions.map((execution) => [execution.id, execution]))
    const events = gates.map(({ is_open: _, requirement_id, ...gate }) => {
      const data = { gate, execution: byId.get(gate.execution_id ?? '') ?? null }
      return { scope: gate, name: 'gate.review_due' as const, data, references: { optional_requirement_id: requirement_id } }
    })
    await emitAll(tx, SYSTEM, events)
    return gates.length
  })
