import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** Tracks to choose from. */
export const MAX_TRACKS = 100

/** All executions of a requirement with the same graph. */
export interface Track {
  graph_id: string
  /** Of its newest execution. */
  agent: string
  execution_count: number
  newest_at: string
}

/** The tracks of a requirement, newest first. */
export const listTracks = (db: Queryable, { id, organization_id }: ResourceKey<'requirement'>): Promise<Track[]> =>
  db<Track[]>`
    select
      graph_id,
      (array_agg(agent order by created_at desc, id desc))[1] as agent,
      count(*)::int as execution_count,
      max(created_at)::timestamptz(3) as newest_at
    from executions
    where requirement_id = ${id}
      and organization_id = ${organization_id}
    group by graph_id
    order by max(created_at) desc, graph_id
    limit ${MAX_TRACKS}
  `
