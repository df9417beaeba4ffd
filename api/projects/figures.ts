/** How the last days of a project compare with those before. */
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

export const FIGURE_DAYS = 30
const DAY_SECONDS = 86_400

/** What ended in a span of time. */
export interface ProjectFigures {
  /** Gates that people decided. */
  gates_decided: number
  /** From opening to decision; null if none was decided. */
  gates_median_seconds: number | null
  /** Rollouts to the environment, by their outcomes. */
  deployments_succeeded: number
  deployments_failed: number
  /** Medians: from the event to the success, and from the first failure after a success to the next success. Null without any. */
  lead_seconds: number | null
  restore_seconds: number | null
  executions_completed: number
  /** Of these executions. */
  executions_cost_usd: number
  requirements_completed: number
}

/** Rollouts to the environment in 24 hours. */
export type FigureDay = Pick<ProjectFigures, 'deployments_succeeded' | 'deployments_failed' | 'lead_seconds' | 'restore_seconds'>

/** A day without rollouts. */
const QUIET: FigureDay = { deployments_succeeded: 0, deployments_failed: 0, lead_seconds: null, restore_seconds: null }

interface Figures {
  /** Where deployments count: in production or, without it, where most rollouts are. Null if none are known. */
  environment: string | null
  now: ProjectFigures
  before: ProjectFigures
  /** The last 30 days, oldest first. */
  days: FigureDay[]
}

const ofRollouts = sql`
  count(*) filter (where rollout.state = 'succeeded') as deployments_succeeded,
  count(*) filter (where rollout.state = 'failed') as deployments_failed,
  round((percentile_cont(0.5) within group (order by rollout.lead_ms))::numeric / 1000, 3) as lead_seconds,
  round((percentile_cont(0.5) within group (order by rollout.restore_ms))::numeric / 1000, 3) as restore_seconds
`

/** The figures of a project for the last 30 days, and for the 30 days before. One statement. */
export async function getFigures(db: Queryable, { id, organization_id }: ResourceKey<'project'>) {
  const rollouts = (since: Fragment, until: Fragment) => sql`
    rollouts as rollout
      on rollout.project_id = ${id}
      and rollout.environment = (select environment from main)
      and rollout.organization_id = ${organization_id}
      and rollout.state in ('succeeded', 'failed')
      and rollout.reported_at > ${since}
      and rollout.reported_at <= ${until}
  `
  const ago = (days: Fragment) => sql`now() - ${days} * interval '1 day'`
  const [{ days, ...figures }] = await db<[Omit<Figures, 'days'> & { days: Record<number, FigureDay> }]>`
    with main as (
      select environment
      from environments
      where project_id = ${id} and organization_id = ${organization_id} and rollout_count > 0
      order by environment ilike 'prod%' desc, rollout_count desc, environment
      limit 1
    ),
    span as (
      select
        name, ${ago(sql`(number + 1) * ${FIGURE_DAYS}::integer`)} as since,
        ${ago(sql`number * ${FIGURE_DAYS}::integer`)} as until
      from (values ('now', 0), ('before', 1)) as span (name, number)
    )
    select
      (select environment from main) as environment,
      jsonb_agg(to_jsonb(figures)) filter (where span.name = 'now') -> 0 as now,
      jsonb_agg(to_jsonb(figures)) filter (where span.name = 'before') -> 0 as before,
      (
        select coalesce(jsonb_object_agg(day.number, to_jsonb(day) - 'number'), '{}')
        from (
          select floor(extract(epoch from now() - rollout.reported_at) / ${DAY_SECONDS}) as number, ${ofRollouts}
          from (values (1)) as one (row)
          join ${rollouts(ago(sql`${FIGURE_DAYS}::integer`), sql`now()`)}
          group by number
        ) as day
      ) as days
    from span
    cross join lateral (
      select gate.*, rollout.*, execution.*, requirement.*
      from (
        select
          count(*) as gates_decided,
          round((percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at)))::numeric, 3)
            as gates_median_seconds
        from gates
        where project_id = ${id}
          and organization_id = ${organization_id}
          and status in ('approved', 'rejected', 'changes_requested')
          and decided_at > span.since
          and decided_at <= span.until
      ) as gate
      cross join (
        select ${ofRollouts}
        from (values (1)) as one (row)
        join ${rollouts(sql`span.since`, sql`span.until`)}
      ) as rollout
      cross join (
        select count(*) as executions_completed, coalesce(sum(cost_usd), 0) as executions_cost_usd
        from executions
        where project_id = ${id}
          and organization_id = ${organization_id}
          and status = 'completed'
          and finished_at > span.since
          and finished_at <= span.until
      ) as execution
      cross join (
        select count(*) as requirements_completed
        from requirements
        where project_id = ${id}
          and organization_id = ${organization_id}
          and completed_at > span.since
          and completed_at <= span.until
      ) as requirement
    ) as figures
  `
  return {
    ...figures,
    days: Array.from({ length: FIGURE_DAYS }, (_, index) => days[FIGURE_DAYS - 1 - index] ?? QUIET),
  } satisfies Figures
}
