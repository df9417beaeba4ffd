/** Search by name, in what the caller may see. */

import { pageUrl } from '../../core/links.ts'
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { isMember, memberWorkspaces } from '../overview/overview.ts'
import type { Caller } from '../plugins/request-context.ts'
import { FOUND_TYPES, type FoundType, type SearchQuery, type SearchResult } from './schema.ts'

/**
 * Matches in a workspace of which the best are chosen. Beginnings that thousands of names have would otherwise be sorted as a whole, for
 * each letter that is typed.
 */
const MAX_MATCHES = 1_000

type Found = Omit<SearchResult, 'url'>

/** The members of the organizations that the caller may see: all of them, or that of a restricted token. */
const isVisibleTo = (by: Caller) => sql`
  ${isMember(by)} and (${by.bound_to}::uuid is null or member.organization_id = ${by.bound_to})
`

/** How well a name fits what was typed; less is better. */
const rankOf = (name: Fragment, number: Fragment, q: string) => sql`
  case
    when ${number} = ${Number(/^\s*#?(\d{1,9})\s*$/.exec(q)?.[1] ?? 0)} then 0
    when lower(${name}) = lower(${q.trim()}) then 1
    when starts_with(lower(${name}), lower(${q.trim()})) then 2
    else 3
  end
`

function organizations(by: Caller, { q, limit }: SearchQuery) {
  return sql`
    (
      select
        0 as kind, organization.id, organization.name, null::integer as number, null::text as status,
        organization.id as organization_id, organization.name as organization_name, null::uuid as workspace_id,
        null::text as workspace_name, null::uuid as project_id, organization.created_at,
        ${rankOf(sql`organization.name`, sql`null::integer`, q)} as rank
      from organization_members as member
      join organizations as organization on organization.id = member.organization_id and organization.deleted_at is null
      where ${isVisibleTo(by)}
        and search_terms(organization.id, organization.name) @@ search_query(organization.id, ${q})
      order by rank, organization.created_at desc, organization.id desc
      limit ${limit}
    )
  `
}

/** The tables of what is in workspaces, with the column that is searched, and what its results show. */
const TABLES: Record<
  Exclude<FoundType, 'organization'>,
  { table: string; name: Fragment; number?: Fragment; status?: Fragment; project_id?: Fragment }
> = {
  project: { table: 'projects', name: sql`name`, project_id: sql`id` },
  requirement: { table: 'requirements', name: sql`title`, number: sql`number`, status: sql`status` },
  gate: { table: 'gates', name: sql`name`, status: sql`status` },
  deployment_hook: {
    table: 'deployment_hooks',
    name: sql`name`,
    status: sql`case when not enabled then 'disabled' when paused then 'paused' else 'enabled' end`,
  },
}

function within(type: keyof typeof TABLES, { q, limit }: SearchQuery) {
  const { table, name, number, status = sql`null::text`, project_id = sql`project_id` } = TABLES[type]
  // As in the index.
  const terms = number ? sql`search_terms(workspace_id, ${name}, ${number})` : sql`search_terms(workspace_id, ${name})`
  return sql`
    (
      select
        ${FOUND_TYPES.indexOf(type)}::integer as kind, found.id, found.name, found.number, found.status,
        searched.organization_id, searched.organization_name, searched.id as workspace_id, searched.name as workspace_name,
        found.project_id, found.created_at,
        ${rankOf(sql`found.name`, sql`found.number`, q)} as rank
      from searched
      cross join lateral (
        select
          id, ${name} as name, ${number ?? sql`null::integer`} as number, ${status} as status, ${project_id} as project_id,
          created_at
        from ${sql(table)}
        where organization_id = searched.organization_id
          and workspace_id = searched.id
          and ${terms} @@ searched.query
        limit ${MAX_MATCHES}
      ) as found
      order by rank, found.created_at desc, found.id desc
      limit ${limit}
    )
  `
}

/** Several queries as one. */
const unionOf = (queries: Fragment[]): Fragment => queries.reduce((all, each) => sql`${all} union all ${each}`)

/**
 * What has the words of a text in its name, the best first. Of workspaces in which the caller has no role, nothing is read: neither the
 * results nor the time that they take say anything about them.
 *
 * @returns up to `limit` results of each type
 */
export async function search(db: Queryable, by: Caller, query: SearchQuery): Promise<SearchResult[]> {
  const types = query.type ? [query.type] : FOUND_TYPES
  const parts = types.map((type) => (type === 'organization' ? organizations(by, query) : within(type, query)))
  const rows = await db<(Found & { kind: number })[]>`
    with searched as (
      select
        workspace.id, workspace.organization_id, workspace.name, organization.name as organization_name,
        search_query(workspace.id, ${query.q}) as query
      from ${memberWorkspaces}
      where ${isVisibleTo(by)}
        and (member.role in ('owner', 'admin') or workspace_member.user_id is not null)
    )
    select
      hit.kind, hit.id, hit.name, hit.number, hit.status, hit.organization_id, hit.organization_name,
      hit.workspace_id,
      hit.workspace_name, hit.project_id,
      (
        select name
        from projects
        where id = hit.project_id
          and organization_id = hit.organization_id
      ) as project_name
    from (${unionOf(parts)}) as hit
    order by hit.rank, hit.kind, hit.created_at desc, hit.id desc
  `
  return rows.map(({ kind, ...found }) => {
    const type = FOUND_TYPES[kind] ?? 'organization'
    return { ...found, type, url: pageUrl(type, found.id) ?? '' }
  })
}
