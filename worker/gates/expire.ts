/** Expires gates, and sends reminders of gates that are about to expire. */

import { isActiveOrganization } from '../../core/active-organizations.ts'
import { SYSTEM } from '../../core/actors.ts'
import { emit, emitAll } from '../../core/events/outbox.ts'
import { withoutArtifacts } from '../../core/executions/records.ts'
import { changeStatus, findAndLockExecution, recordTransition } from '../../core/executions/transitions.ts'
import { type Gate, gateColumns } from '../../core/gates.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { ProjectScope } from '../../core/scopes.ts'
import { record } from '../../core/security/audit.ts'
import type { Fragment } from '../../sql/index.ts'
import { serveDue } from '../process/tenant-groups.ts'
import { BATCH, gatesWhere, scopeOf, takeDue } from './due.ts'

interface DueGate extends ProjectScope {
  id: string
  execution_id: string | null
}

const toRemind = gatesWhere(sql`status = 'pending' and remind_at <= now()`)

/** Emits `gate.expiring` for gates whose reminder is due. @returns how many gates were taken */
function remind(condition: Fragment): Promise<number> {
  return transaction(async (tx) => {
    const gates = await takeDue(tx, 'remind_at', condition)
    await emitAll(
      tx,
      SYSTEM,
      gates.flatMap(({ is_open, requirement_id, ...gate }) =>
        is_open
          ? {
              scope: scopeOf(gate),
              name: 'gate.expiring',
              data: { gate },
              references: { optional_requirement_id: requirement_id },
            }
          : [],
      ),
    )
    return gates.length
  })
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
      where gates.id = ${id}
        and gates.organization_id = ${scope.organization_id}
    `
    const error = `The gate ${gate.name} expired without a decision.`
    const execution = before && (await changeStatus(tx, SYSTEM, before, 'failed', { error }))
    await emit(
      tx,
      SYSTEM,
      scope,
      'gate.expired',
      { gate, execution: execution && withoutArtifacts(execution) },
      { optional_requirement_id: execution?.requirement_id ?? null },
    )
    await record(tx, SYSTEM, scope, {
      action: 'gate.expired',
      resource_type: 'gate',
      resource_id: id,
      detail: `The gate ${gate.name} expired without a decision.`,
    })
    if (execution) await recordTransition(tx, SYSTEM, scope, 'execution.failed', execution)
  })
}

/** @returns how many gates were expired */
async function expireBatch(): Promise<number> {
  const due = await sql<DueGate[]>`
    select id, execution_id, organization_id, workspace_id, project_id
    from gates
    where status = 'pending'
      and expires_at <= now()
      and ${isActiveOrganization(sql`gates.organization_id`)}
    order by expires_at
    limit ${BATCH}
  `
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

/** Reminds those who can still decide. */
export async function remindOfGates(): Promise<void> {
  while ((await serveDue(toRemind, remind)) >= BATCH);
}

/** Expires the gates whose time is over. */
export async function expireGates(): Promise<void> {
  while ((await expireBatch()) >= BATCH);
}
