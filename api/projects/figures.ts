/** How the last days of a project compare with those before. */
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

const FIGURE_DAYS = 30

/** What ended in a span of time. */
interface ProjectFigures {
  /** Gates that people decided. */
  gates_decided: number
  /** From opening to decision; null if none was decided. */
  gates_median_seconds: number | null
  /** Rollouts by their outcomes. */
  deployments_succeeded: number
  deployments_failed: number
  executions_completed: number
  /** Of these executions. */
  executions_cost_usd: number
  requirements_completed: number
}

/** The figures of a project for the last 30 days, and for the 30 days before. One statement. */
export async function getFigures(db: Queryable, { id, organization_id }: ResourceKey<'project'>) {
  const [row] = await db<[{ now: ProjectFigures; before: ProjectFigures }]>`
    with span as (
      select
        name, now() - (number + 1) * ${FIGURE_DAYS}::integer * interval '1 day' as since,
        now() - number * ${FIGURE_DAYS}::integer * interval '1 day' as until
      from (values ('now', 0), ('before', 1)) as span (name, number)
    )
    select
      jsonb_agg(to_jsonb(figures)) filter (where span.name = 'now') -> 0 as now,
      jsonb_agg(to_jsonb(figures)) filter (where span.name = 'before') -> 0 as before
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
        select
          count(*) filter (where rollout.state = 'succeeded') as deployments_succeeded,
          count(*) filter (where rollout.state = 'failed') as deployments_failed
        from environments as known
        join rollouts as rollout
          on rollout.project_id = ${id}
          and rollout.environment = known.environment
          and rollout.organization_id = ${organization_id}
          and rollout.state in ('succeeded', 'failed')
          and rollout.reported_at > span.since
          and rollout.reported_at <= span.until
        where known.project_id = ${id} and known.organization_id = ${organization_id}
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
  return row
}
