/** Moves the rollouts of the seed data, and their dispatches, to the time of what caused them. */
import type { Tx } from '../../sql/index.ts'

/** Remembers what caused each rollout. Called before the causes are moved. */
export async function rememberCauses(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    create temporary table causes on commit drop as
    select rollout.id as rollout_id, rollout.event_at, cause.id as cause_id, cause.at
    from rollouts as rollout
    cross join lateral (
      select id, at
      from (
        select id, finished_at as at
        from executions
        where project_id = rollout.project_id
          and organization_id = ${organization_id}
          and rollout.event = 'workflow.completed'
        union all
        select id, decided_at
        from gates
        where project_id = rollout.project_id
          and organization_id = ${organization_id}
          and rollout.event = 'gate.approved'
      ) as happened
      order by abs(extract(epoch from at - rollout.event_at)) nulls last
      limit 1
    ) as cause
    where rollout.organization_id = ${organization_id}
  `
}

/** Moves the rollouts by as much as their causes were moved. */
export async function moveRollouts(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    create temporary table past_rollouts on commit drop as
    select causes.rollout_id as id, causes.at - coalesce(execution.finished_at, gate.decided_at) as age
    from causes
    left join executions as execution on execution.id = causes.cause_id and execution.organization_id = ${organization_id}
    left join gates as gate on gate.id = causes.cause_id and gate.organization_id = ${organization_id}
    union all
    -- Nothing has caused a rollback but a person, yesterday.
    select id, interval '19 hours'
    from rollouts
    where organization_id = ${organization_id}
      and event = 'deployment.rollback'
  `
  await tx`
    update rollouts as rollout
    set
      event_at = event_at - age,
      created_at = created_at - age,
      started_at = started_at - age,
      reported_at = reported_at - age + interval '4 minutes'
    from past_rollouts as past
    where rollout.id = past.id
      and rollout.organization_id = ${organization_id}
  `
  await tx`
    update rollouts
    set lead_ms = extract(epoch from reported_at - event_at) * 1000
    where organization_id = ${organization_id}
      and state = 'succeeded'
  `
  await tx`
    update dispatches as dispatch
    set created_at = created_at - age, completed_at = completed_at - age
    from past_rollouts as past
    where dispatch.id = past.id
      and dispatch.organization_id = ${organization_id}
  `
  await tx`
    update dispatch_attempts as attempt
    set started_at = started_at - age
    from past_rollouts as past
    where attempt.dispatch_id = past.id
      and attempt.organization_id = ${organization_id}
  `
}

/** What runs where, and the figures of the last 30 days, now that all rollouts have their time. */
export async function settleEnvironments(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    update environments as known
    set
      current_id = rollout.successes[1], previous_id = rollout.successes[2], latest_id = rollout.latest_id,
      failing_since = case when rollout.failed_at > rollout.succeeded_at then rollout.failed_at end
    from (
      select
        project_id, environment, array_agg(id order by reported_at desc) filter (where state = 'succeeded') as successes,
        (array_agg(id order by reported_at desc))[1] as latest_id,
        max(reported_at) filter (where state = 'failed') as failed_at,
        max(reported_at) filter (where state = 'succeeded') as succeeded_at
      from rollouts
      where organization_id = ${organization_id}
        and reported_at is not null
      group by project_id, environment
    ) as rollout
    where known.project_id = rollout.project_id
      and known.environment = rollout.environment
      and known.organization_id = ${organization_id}
  `
  await tx`
    update environments as known
    set
      frequency_30d = figures.frequency_30d, change_failure_rate_30d = figures.change_failure_rate_30d,
      lead_time_median_seconds_30d = figures.lead_time_median_seconds_30d,
      restore_time_median_seconds_30d = figures.restore_time_median_seconds_30d, figures_until = figures.figures_until
    from environments as named
    cross join lateral environment_figures(named.project_id, named.environment, named.organization_id) as figures
    where named.organization_id = ${organization_id}
      and known.project_id = named.project_id
      and known.environment = named.environment
      and known.organization_id = ${organization_id}
  `
}
