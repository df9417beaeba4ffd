/** Gates of which something is to be said at a time, once. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { type Gate, gateColumns } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { ProjectScope } from '../../core/scopes.ts'
import type { Fragment, Tx } from '../../sql/index.ts'
import type { DueRows } from '../process/tenant-groups.ts'

export const BATCH = 100

/** Gates that fulfil a condition. */
export const gatesWhere = (condition: Fragment): DueRows => ({
  table: sql`gates`,
  organization_id: sql`gates.organization_id`,
  condition: sql`${condition} and ${isActiveOrganization(sql`gates.organization_id`)}`,
})

export const scopeOf = ({ organization_id, workspace_id, project_id }: Gate): ProjectScope => ({
  organization_id,
  workspace_id,
  project_id,
})

interface TakenGate extends Gate {
  is_open: boolean
  requirement_id: string | null
}

/** Takes gates that fulfil a condition, earliest first, and clears the time, so that each is taken once. */
export async function takeDue(tx: Tx, time: 'remind_at' | 'review_due_at', condition: Fragment): Promise<TakenGate[]> {
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
    where gates.id = due.id
      and gates.organization_id = due.organization_id
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
