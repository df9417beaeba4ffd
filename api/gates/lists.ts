/** Lists of gates. */
import { type Gate, gateColumns } from '../../core/gates.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Slice } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** The gates of an execution, newest first. @param columns of each gate */
export function listExecutionGates(
  db: Queryable,
  { id, organization_id }: ResourceKey<'execution'>,
  { limit, after }: Slice,
  columns = gateColumns,
) {
  return db<Gate[]>`
    select ${columns}
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

/** Pending gates for an environment, oldest first: by name, for a caller who changes what they are about. */
export function listPendingNames(
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  environment: string,
  limit: number,
) {
  return db<{ id: string; name: string }[]>`
    select gates.id, gates.name
    from gates
    where gates.project_id = ${id}
      and gates.organization_id = ${organization_id}
      and gates.status = 'pending'
      and gates.environment = ${environment}
    order by gates.created_at, gates.id
    limit ${limit}
  `
}
