import { type Gate, gateColumns, gateColumnsWithoutEvidence } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** Bytes of evidence in one response, about: 1,000 gates can have 64 MB, which would hold up all other requests. */
const MAX_BYTES = 2 ** 21

/** A part of a list of gates, newest first. It ends early where their evidence is large. */
async function listGates(db: Queryable, organization_id: string, condition: Fragment, { limit, after }: Slice) {
  const found = await db<(Gate & { has_room: boolean })[]>`
    select ${gateColumns}, gates.has_room
    from (
      select
        found.*,
        coalesce(sum(size) over (newest rows between unbounded preceding and 1 preceding), 0) <= ${MAX_BYTES} as has_room,
        coalesce(sum(size) over (newest rows between unbounded preceding and 2 preceding), 0) <= ${MAX_BYTES} as had_room
      from (
        select *, coalesce(octet_length((gates.evidence - 'summary')::text), 0) as size
        from gates
        where ${condition} and gates.organization_id = ${organization_id}
          ${following(sql`gates.created_at, gates.id`, after)}
        order by gates.created_at desc, gates.id desc
        limit ${limit}
      ) as found
      window newest as (order by found.created_at desc, found.id desc)
    ) as gates
    -- With the first for which there is no room: it says that there is more.
    where gates.had_room
    order by gates.created_at desc, gates.id desc
  `
  const rows = found.flatMap(({ has_room, ...gate }) => (has_room ? gate : []))
  return Object.assign(rows, { isCut: rows.length < found.length })
}

export const listExecutionGates = (db: Queryable, { id, organization_id }: ResourceKey<'execution'>, slice: Slice) =>
  listGates(db, organization_id, sql`gates.execution_id = ${id}`, slice)

export const listProjectGates = (
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  status: string | null,
  slice: Slice,
) =>
  listGates(
    db,
    organization_id,
    sql`gates.project_id = ${id} ${status === null ? sql`` : sql`and gates.status = ${status}`}`,
    slice,
  )

/** The gates of an execution without their evidence, newest first. */
export const listNamedGates = (db: Queryable, { id, organization_id }: ResourceKey<'execution'>, limit: number) => db<Gate[]>`
  select ${gateColumnsWithoutEvidence}
  from gates
  where gates.execution_id = ${id} and gates.organization_id = ${organization_id}
  order by gates.created_at desc, gates.id desc
  limit ${limit}
`

/** Pending gates for an environment, oldest first: by name, for a caller who changes what they are about. */
export const listPendingNames = (
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  environment: string,
  limit: number,
) => db<{ id: string; name: string }[]>`
  select gates.id, gates.name
  from gates
  where gates.project_id = ${id}
    and gates.organization_id = ${organization_id}
    and gates.status = 'pending'
    and gates.environment = ${environment}
  order by gates.created_at, gates.id
  limit ${limit}
`
