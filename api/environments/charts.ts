/** How the deployments and gates of a project went over time, for its charts. */
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

export const DAYS = 90

/** How many environments a chart of lead times can distinguish: those with the most rollouts. */
const MAX_ENVIRONMENTS = 5

/** The finished rollouts of an environment on a day or in a week, which begins on Monday. Of the two, one is null. */
export interface FinishedRollouts {
  environment: string
  day: string | null
  week: string | null
  succeeded: number
  failed: number
  /** Median; null where none succeeded. */
  lead_seconds: number | null
}

/** The rollouts of the last 90 days (UTC) that succeeded or failed. */
export const listFinishedRollouts = (db: Queryable, { id, organization_id }: ResourceKey<'project'>) => db<FinishedRollouts[]>`
  select name.environment, finished.day, finished.week, finished.succeeded, finished.failed, finished.lead_seconds
  from (
    select environment
    from environments
    where project_id = ${id}
      and organization_id = ${organization_id}
      and rollout_count > 0
    order by rollout_count desc, environment
    limit ${MAX_ENVIRONMENTS}
  ) as name
  cross join lateral (
    select
      reported.day::text as day, reported.week::text as week,
      count(*) filter (where reported.state = 'succeeded') as succeeded,
      count(*) filter (where reported.state = 'failed') as failed,
      percentile_cont(0.5) within group (order by reported.lead_ms) / 1000 as lead_seconds
    from (
      select
        state, lead_ms, (reported_at at time zone 'UTC')::date as day,
        date_trunc('week', reported_at at time zone 'UTC')::date as week
      from rollouts
      where project_id = ${id}
        and organization_id = ${organization_id}
        and environment = name.environment
        and state in ('succeeded', 'failed')
        and reported_at >= (current_date - ${DAYS - 1}::integer)::timestamp at time zone 'UTC'
    ) as reported
    group by grouping sets ((reported.day), (reported.week))
  ) as finished
  order by name.environment, finished.day, finished.week
`

/** Gates that are counted. */
const MAX_GATES = 10_000

/** Ages of gates in seconds, from which they are older. */
const AGES = [3_600, 14_400, 86_400, 259_200, 604_800]

export const AGE_NAMES = ['under 1 h', '1 to 4 h', '4 to 24 h', '1 to 3 d', '3 to 7 d', 'over 7 d']

export async function countPendingGates(db: Queryable, { id, organization_id }: ResourceKey<'project'>): Promise<number[]> {
  const rows = await db<{ age: number; count: number }[]>`
    select width_bucket(extract(epoch from now() - pending.created_at), ${AGES}::numeric[]) as age, count(*) as count
    from (
      select created_at
      from gates
      where project_id = ${id} and organization_id = ${organization_id} and status = 'pending'
      limit ${MAX_GATES}
    ) as pending
    group by age
  `
  const counts = new Map(rows.map(({ age, count }) => [age, count]))
  return AGE_NAMES.map((_, age) => counts.get(age) ?? 0)
}
