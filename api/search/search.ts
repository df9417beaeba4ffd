/** Search by name, in what the caller may see. */

import { gateState } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { pageUrl } from '../../core/tenants/links.ts'
import { Maybe, Nullable, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { eachOrganization } from '../../sql/reach.ts'
import { isMember, memberWorkspaces } from '../overview/overview.ts'
import type { Caller } from '../plugins/request-context.ts'

/** What can be found, in the order in which equally good results are listed. */
export const FOUND_TYPES = ['organization', 'project', 'requirement', 'gate', 'deployment_hook'] as const
export type FoundType = (typeof FOUND_TYPES)[number]

export const SearchQuery = Shape({
  q: Type.String({
    maxLength: 200,
    default: '',
    description:
      'Words, or their beginnings; all of them must occur; without any, nothing is found. `12` and `#12` also find requirements by their number.',
    examples: ['check inv'],
  }),
  type: Maybe(OneOf(FOUND_TYPES, { description: 'Only results of this type.' })),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Maximum number of results of each type.' }),
})
export type SearchQuery = Static<typeof SearchQuery>

export const SearchResult = Shape('SearchResult', {
  type: OneOf(FOUND_TYPES),
  id: Uuid,
  name: Type.String({ description: 'The name or, of a requirement, the title.', examples: ['Pay by invoice'] }),
  number: Nullable(Type.Integer({ description: 'Of a requirement.', examples: [12] })),
  status: Nullable(
    Type.String({
      description:
        'Of a requirement or gate; of a gate also `superseded`, and `revoked` after its approval. Of a hook: `enabled`, `paused` or `disabled`.',
      examples: ['open'],
    }),
  ),
  organization_id: Uuid,
  organization_name: Type.String({ examples: ['Acme Robotics'] }),
  workspace_id: Nullable(Uuid),
  workspace_name: Nullable(Type.String({ examples: ['Web shop'] })),
  project_id: Nullable(Uuid),
  project_name: Nullable(Type.String({ examples: ['Checkout'] })),
  url: Type.String({
    description: 'Its page.',
    examples: ['https://signalbox.example.com/app/requirements/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'],
  }),
})
export type SearchResult = Static<typeof SearchResult>

/**
 * Matches in a workspace of which the best are chosen. Beginnings that thousands of names have would otherwise be sorted as a whole, for
 * each letter that is typed.
 */
const MAX_MATCHES = 1_000

type Found = Omit<SearchResult, 'url' | 'type'> & { kind: number; rank: number; created_at: string }

/** The members of the organizations that the caller may see: all of them, or the one organization of a restricted token. */
const isVisibleTo = (by: Caller) => sql`
  ${isMember(by)} and (${by.bound_to}::uuid is null or member.organization_id = ${by.bound_to})
`

/** How well a name fits what was typed; less is better. */
const rankOf = (name: Fragment, number: Fragment, q: string) => sql`
  case
    when ${number} = ${Number(/^\s*#?(\d{1,9})\s*$/.exec(q)?.[1] ?? 0)} then 0
    when folded(${name}) = (select folded(${q.trim()})) then 1
    when starts_with(folded(${name}), (select folded(${q.trim()}))) then 2
    else 3
  end
`

const organizations = (by: Caller, { q, limit }: SearchQuery) => sql`
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

/** The tables of what is in workspaces, with the column that is searched, and what its results show. */
const TABLES: Record<
  Exclude<FoundType, 'organization'>,
  { table: string; name: Fragment; number?: Fragment; status?: Fragment; project_id?: Fragment }
> = {
  project: { table: 'projects', name: sql`name`, project_id: sql`id` },
  requirement: { table: 'requirements', name: sql`title`, number: sql`number`, status: sql`status` },
  gate: { table: 'gates', name: sql`name`, status: gateState(sql`gates`) },
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

const unionOf = (queries: Fragment[]): Fragment => queries.reduce((all, each) => sql`${all} union all ${each}`)

/** Of what was found in several organizations, as much of each kind as would be in one, in the same order. */
function bestOf(found: Found[], limit: number): Found[] {
  const sorted = found.toSorted(
    (one, other) =>
      one.rank - other.rank ||
      one.kind - other.kind ||
      other.created_at.localeCompare(one.created_at) ||
      other.id.localeCompare(one.id),
  )
  return [...Map.groupBy(sorted, ({ kind }) => kind).values()].flatMap((ofKind) => ofKind.slice(0, limit))
}

/**
 * What has the words of a text in its name, the best first. Of workspaces in which the caller has no role, nothing is read: neither the
 * results nor the time that they take say anything about them.
 * @returns up to `limit` results of each type
 */
export async function search(db: Queryable, by: Caller, query: SearchQuery): Promise<SearchResult[]> {
  const types = query.type ? [query.type] : FOUND_TYPES
  const parts = types.map((type) => (type === 'organization' ? organizations(by, query) : within(type, query)))
  const rows = await eachOrganization(
    db<Found[]>`
    with searched as (
      select
        workspace.id, workspace.organization_id, workspace.name, organization.name as organization_name,
        search_query(workspace.id, ${query.q}) as query
      from ${memberWorkspaces}
      where ${isVisibleTo(by)} and (member.role in ('owner', 'admin') or workspace_member.user_id is not null)
    )
    select
      hit.kind, hit.id, hit.name, hit.number, hit.status, hit.organization_id, hit.organization_name,
      hit.workspace_id, hit.workspace_name, hit.project_id, hit.rank, hit.created_at,
      (
        select name
        from projects
        where id = hit.project_id and organization_id = hit.organization_id
      ) as project_name
    from (${unionOf(parts)}) as hit
    order by hit.rank, hit.kind, hit.created_at desc, hit.id desc
  `,
    by.id,
    (all) => bestOf(all as Found[], query.limit),
  )
  return rows.map(({ kind, rank: _, created_at: __, ...found }) => {
    const type = FOUND_TYPES[kind] ?? 'organization'
    return { ...found, type, url: pageUrl(type, found.id) ?? '' }
  })
}
