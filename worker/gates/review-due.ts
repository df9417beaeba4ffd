/** Reminds of overrides that have not been reviewed for a day. */
import { SYSTEM } from '../../core/actors.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { type Execution, executionColumns, withoutArtifacts } from '../../core/executions/records.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'
import { serveDue } from '../process/tenant-groups.ts'
import { BATCH, gatesWhere, scopeOf, takeDue } from './due.ts'

const due = gatesWhere(sql`review_due_at <= now()`)

/** Emits `gate.review_due` for overrides whose review is due. @returns how many */
function emitDue(condition: Fragment): Promise<number> {
  return transaction(async (tx) => {
    const gates = await takeDue(tx, 'review_due_at', condition)
    if (gates.length === 0) return 0
    const executions = await tx<Execution[]>`
      select ${executionColumns}
      from executions
      where id = any(${gates.map(({ execution_id }) => execution_id).filter((id) => id !== null)}::uuid[])
        and organization_id = any(${[...new Set(gates.map(({ organization_id }) => organization_id))]}::uuid[])
    `
    const byId = new Map(executions.map((execution) => [execution.id, withoutArtifacts(execution)]))
    await emitAll(
      tx,
      SYSTEM,
      gates.map(({ is_open: _, requirement_id, ...gate }) => ({
        scope: scopeOf(gate),
        name: 'gate.review_due',
        data: { gate, execution: byId.get(gate.execution_id ?? '') ?? null },
        references: { optional_requirement_id: requirement_id },
      })),
    )
    return gates.length
  })
}

/** Says of overrides that their review is due. */
export async function remindOfReviews(): Promise<void> {
  while ((await serveDue(due, emitDue)) >= BATCH);
}
