import { sql } from '../../core/platform/database.ts'
import { entryColumns } from '../../core/security/audit.ts'
import type { AuditRecord, Head } from '../../core/security/audit-chain.ts'
import { DAY_MS, LAST_MS } from '../../core/values/instants.ts'
import type { ShownActor } from '../../core/values/schema.ts'
import { FIRST_ID } from '../../core/values/uuids.ts'
import { type Fragment, plannedAnew, type Queryable, type Sql } from '../../sql/index.ts'
import { following, type PageQuery, paged, pageLimit } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { invalidField, notFound } from '../problems.ts'
import type { EntryFilter } from './schema.ts'

/** Sorts after every string with the same prefix. */
const LAST = '\u{10FFFF}'

/** Entries of an action, or of all with a prefix that ends with `*`. */
function hasAction(action: string) {
  if (!action.endsWith('*')) return sql`action collate "C" = ${action}`
  const prefix = action.slice(0, -1)
  return sql`action collate "C" >= ${prefix} and action collate "C" < ${prefix + LAST}`
}

const hasOneOf = (actions: string[]) => sql`(false ${actions.map((action) => sql`or ${hasAction(action)}`)})`

const matchesFilter = ({ action, actor_id, workspace_id }: EntryFilter) => sql`
  ${action === undefined ? sql`` : sql`and ${typeof action === 'string' ? hasAction(action) : hasOneOf(action)}`}
  ${actor_id === undefined ? sql`` : sql`and actor_id = ${actor_id}`}
  ${workspace_id === undefined ? sql`` : sql`and workspace_id = ${workspace_id}`}
`

/** From the first time, inclusive, to the second, exclusive. */
const within = (from: string | null, until: string | null) => sql`
  ${from === null ? sql`` : sql`and created_at >= ${from}`}
  ${until === null ? sql`` : sql`and created_at < ${until}`}
`

export const matchingEntries = (organization_id: string, filter: EntryFilter) => sql`
  where organization_id = ${organization_id}
    ${matchesFilter(filter)}
    ${within(filter.start_date ?? null, filter.end_date ?? null)}
`

/** @throws Problem `validation_failed` if `start_date` is after `end_date` */
export function checkRange({ start_date, end_date }: EntryFilter): void {
  if (start_date && end_date && Date.parse(start_date) > Date.parse(end_date))
    throw invalidField('/start_date', 'inverted', 'must not be after end_date')
}

const isUnfiltered = (filter: EntryFilter): boolean => Object.values(filter).every((value) => value === undefined)

/** The whole days (UTC) within a range: start of the first day, and end of the last, exclusive. Null for an open end. */
function wholeDays({ start_date, end_date }: EntryFilter) {
  const first_ms = start_date ? Math.ceil(Date.parse(start_date) / DAY_MS) * DAY_MS : -Infinity
  const end_ms = end_date ? Math.floor(Date.parse(end_date) / DAY_MS) * DAY_MS : Infinity
  const instant = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null)
  return { first: instant(first_ms), end: instant(end_ms), areNone: first_ms >= end_ms || first_ms > LAST_MS }
}

/** Whole days were counted when their entries were sealed; only unsealed entries and the two partial days are counted now. */
export function countEntries(organization_id: string, filter: EntryFilter) {
  const { first, end, areNone } = wholeDays(filter)
  const { start_date = null, end_date = null } = filter
  const count = (from: string | null, until: string | null) => sql`
    (
      select count(*)
      from audit_log_entries
      where organization_id = ${organization_id} ${matchesFilter(filter)} ${within(from, until)}
    )
  `
  // The counts of days are not kept for each workspace; under the first id, they are those of the system.
  if (areNone || filter.workspace_id !== undefined || filter.actor_id === FIRST_ID) return count(start_date, end_date)
  if (isUnfiltered(filter)) {
    return sql`
      coalesce((select max(seq) from audit_log_seals where organization_id = ${organization_id}), 0)
      + (select count(*) from audit_log_unsealed where organization_id = ${organization_id})
    `
  }
  return sql`
    (
      select coalesce(sum(entries), 0)
      from audit_log_counts
      where organization_id = ${organization_id} ${matchesFilter(filter)}
        ${first === null ? sql`` : sql`and day >= (${first}::timestamptz at time zone 'UTC')::date`}
        ${end === null ? sql`` : sql`and day < (${end}::timestamptz at time zone 'UTC')::date`}
    )
    + (
      select count(*)
      from audit_log_unsealed as unsealed
      -- A lookup per unsealed entry. A join could be planned for an outdated number of them and read the whole log.
      cross join lateral (
        select action, actor_id, created_at
        from audit_log_entries
        where id = unsealed.entry_id and organization_id = ${organization_id}
        offset 0
      ) as entry
      where unsealed.organization_id = ${organization_id} ${matchesFilter(filter)} ${within(first, end)}
    )
    + ${start_date === null ? 0 : count(start_date, first)}
    + ${end_date === null ? 0 : count(end, end_date)}
  `
}

/** An entry with its place in the chain, which it gets within seconds. */
export type SealedEntry = AuditRecord & { [Field in keyof Head]: Head[Field] | null }

export const sealedColumns = sql`${entryColumns}, seal.seq, seal.hash`

/** SQL: joins an entry. The limit makes PostgreSQL look it up by its key. */
export const joinEntry = (organization_id: string, id: Fragment) => sql`
  left join lateral (
    select ${entryColumns}
    from audit_log_entries as entry
    where entry.id = ${id} and entry.organization_id = ${organization_id}
    limit 1
  ) as entry on true
`

/** SQL: joins the seal of `entry`. The limit makes PostgreSQL look it up by its key. */
export const joinSeal = (organization_id: string) => sql`
  left join lateral (
    select seq, encode(hash, 'hex') as hash
    from audit_log_seals
    where entry_id = entry.id and organization_id = ${organization_id}
    limit 1
  ) as seal on true
`

type Row = SealedEntry & { total: number }

/** Reads total and items in one statement, so that they are consistent. */
const readPage = (db: Queryable, organization_id: string, query: PageQuery, filter: EntryFilter) => db<Row[]>`
  select counted.total, ${sealedColumns}
  from (select ${countEntries(organization_id, filter)} as total) as counted
  left join (
    -- Ids only, so that skipping to a deep page reads just the index.
    select id
    from audit_log_entries
    ${matchingEntries(organization_id, filter)}
      ${following(sql`created_at, id`, query.after)}
    order by created_at desc, id desc
    ${pageLimit(query)}
  ) as page on true
  ${joinEntry(organization_id, sql`page.id`)}
  ${joinSeal(organization_id)}
  order by entry.created_at desc, entry.id desc
`

export function withActor(entry: SealedEntry): SealedEntry & { actor: ShownActor } {
  const { actor_type, actor_id: id, actor_name: name } = entry
  const type = actor_type === 'service_account' || actor_type === 'system' ? actor_type : 'user'
  return { ...entry, actor: { type, id, name } }
}

/** A service account of one workspace reads what is about it; as entries name no project, one of a project none. @throws Problem `not_found` */
export function readableBy<Filter extends EntryFilter>({ service_account }: Caller, filter: Filter): Filter {
  if (!service_account?.workspace_id) return filter
  if (service_account.project_id !== null) throw notFound('audit log')
  return { ...filter, workspace_id: service_account.workspace_id }
}

export async function listEntries(db: Sql, organization_id: string, query: EntryFilter & PageQuery) {
  const { page: _, page_size: __, after: ___, ...filter } = query
  checkRange(filter)
  const reading = readPage(db, organization_id, query, filter)
  // The selectivity of filters varies widely: with a generic plan, one page may read the whole log.
  const rows = await (isUnfiltered(filter) ? reading : plannedAnew(reading))
  const items = rows.filter(({ id }) => id !== null).map(({ total: _, ...entry }) => withActor(entry))
  return paged(query, rows[0]?.total ?? 0, items)
}
