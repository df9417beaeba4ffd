/** Reminds of overrides that nobody has reviewed for a day. */

import { isActiveOrganization } from '../../core/active-organizations.ts'
import { SYSTEM } from '../../core/actors.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { type Execution, executionColumns, withoutArtifacts } from '../../core/executions/records.ts'
import { type Gate, gateColumns } from '../../core/gates.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'
import { type DueRows, serveDue } from '../process/tenant-groups.ts'

const BATCH = 100

const due: DueRows = {
  table: sql`gates`,
  organization_id: sql`gates.organization_id`,
  condition: sql`
    review_due_at <= now()
    and ${isActiveOrganization(sql`gates.organization_id`)}
  `,
}

/** Emits `gate.review_due` for overrides whose review is due, once. @returns how many */
function emitDue(condition: Fragment): Promise<number> {
  return transaction(async (tx) => {
    const marked = await tx<{ id: string; organization_id: string }[]>`
      with due as (
        select id, organization_id
        from gates
        where ${condition}
        order by review_due_at
        limit ${BATCH}
        for no key update skip locked
      )
      update gates
      set review_due_at = null
      from due
      where gates.id = due.id
        and gates.organization_id = due.organization_id
      returning gates.id, gates.organization_id
    `
    if (marked.length === 0) return 0
    const organization_ids = [...new Set(marked.map(({ organization_id }) => organization_id))]
    const gates = await tx<Gate[]>`
      select ${gateColumns}
      from gates
      where gates.id = any(${marked.map(({ id }) => id)}::uuid[])
        and gates.organization_id = any(${organization_ids}::uuid[])
      order by gates.id
    `
    const executions = await tx<Execution[]>`
      select ${executionColumns}
      from executions
      where id = any(${gates.map(({ execution_id }) => execution_id).filter((id) => id !== null)}::uuid[])
        and organization_id = any(${organization_ids}::uuid[])
    `
    const byId = new Map(executions.map((execution) => [execution.id, withoutArtifacts(execution)]))
    await emitAll(
      tx,
      SYSTEM,
      gates.map((gate) => {
        const execution = byId.get(gate.execution_id ?? '') ?? null
        return {
          scope: { organization_id: gate.organization_id, workspace_id: gate.workspace_id, project_id: gate.project_id },
          name: 'gate.review_due',
          data: { gate, execution },
          references: { optional_requirement_id: execution?.requirement_id ?? null },
        }
      }),
    )
    return gates.length
  })
}

/** Says of overrides that their review is due. */
export async function remindOfReviews(): Promise<void> {
  while ((await serveDue(due, emitDue)) >= BATCH);
}
