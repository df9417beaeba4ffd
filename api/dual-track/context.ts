import { sql } from '../../core/platform/database.ts'
import type { ExecutionStatus } from '../../core/records/executions.ts'
import type { Queryable } from '../../sql/index.ts'
import { distinctName } from '../members/namesakes.ts'
import { type PageQuery, pageLimit, readPage } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import type { RequirementName } from '../requirements/list.tsx'
import { requirementName } from '../requirements/requirements.ts'
import type { ComparisonSummary } from './components.tsx'

const MAX_EXECUTIONS = 20

export interface TrackExecution {
  id: string
  track: 'a' | 'b'
  agent: string
  status: ExecutionStatus
  cost_usd: number | null
  started_at: string | null
  finished_at: string | null
}

/** What the page of a comparison shows in addition to it. */
export interface ComparisonContext {
  requirement: RequirementName
  created_by_name: string
  decided_by_name: string | null
  /** The newest executions of each track, newest first. */
  executions: TrackExecution[]
}

/** A page of the comparisons of a project, newest first, with their requirements. One statement. */
export const listComparisonSummaries = (db: Queryable, { id, organization_id }: ResourceKey<'project'>, query: PageQuery) =>
  readPage<ComparisonSummary>(
    db,
    query,
    sql`select count(*) from dual_track_comparisons where project_id = ${id} and organization_id = ${organization_id}`,
    sql`
      select
        comparison.id, comparison.track_a_agent, comparison.track_b_agent, comparison.status, comparison.winner,
        comparison.result ->> 'recommendation' as recommendation, comparison.created_at,
        ${requirementName(sql`comparison.work_item_id`, organization_id)} as requirement
      from dual_track_comparisons as comparison
      where comparison.project_id = ${id} and comparison.organization_id = ${organization_id}
      order by comparison.created_at desc, comparison.id desc
      ${pageLimit(query)}
    `,
  )

/** The context of a comparison. @throws Problem `not_found` */
export async function getComparisonContext(db: Queryable, { id, organization_id }: ResourceKey<'comparison'>) {
  const [context] = await db<ComparisonContext[]>`
    select
      ${requirementName(sql`comparison.work_item_id`, organization_id)} as requirement,
      ${distinctName(organization_id, sql`comparison.created_by`)} as created_by_name,
      ${distinctName(organization_id, sql`comparison.decided_by`)} as decided_by_name,
      (
        select coalesce(jsonb_agg(found order by found.created_at desc, found.id desc), '[]')
        from (values ('a', comparison.track_a_graph_id), ('b', comparison.track_b_graph_id)) as side (track, graph_id)
        cross join lateral (
          select
            execution.id, side.track, execution.agent, execution.status, execution.cost_usd, execution.started_at,
            execution.finished_at, execution.created_at
          from executions as execution
          where execution.project_id = comparison.project_id
            and execution.graph_id = side.graph_id
            and execution.requirement_id = comparison.work_item_id
            and execution.organization_id = ${organization_id}
          order by execution.created_at desc, execution.id desc
          limit ${MAX_EXECUTIONS}
        ) as found
      ) as executions
    from dual_track_comparisons as comparison
    where comparison.id = ${id} and comparison.organization_id = ${organization_id}
  `
  if (!context) throw notFound('comparison')
  return context
}

export const MAX_TRACKS = 100

/** All executions of a requirement with the same graph. */
export interface Track {
  graph_id: string
  /** Of its newest execution. */
  agent: string
  execution_count: number
  newest_at: string
}

export const listTracks = (db: Queryable, { id, organization_id }: ResourceKey<'requirement'>): Promise<Track[]> =>
  db<Track[]>`
    select
      graph_id,
      (array_agg(agent order by created_at desc, id desc))[1] as agent,
      count(*)::int as execution_count,
      max(created_at)::timestamptz(3) as newest_at
    from executions
    where requirement_id = ${id} and organization_id = ${organization_id}
    group by graph_id
    order by max(created_at) desc, graph_id
    limit ${MAX_TRACKS}
  `
