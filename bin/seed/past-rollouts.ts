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
  // A report that came late, because its dispatch was retried, is not the latest any more.
  await tx`
    update environments as known
    set current_id = successes.ids[1], previous_id = successes.ids[2]
    from (
      select project_id, environment, array_agg(id order by reported_at desc) as ids
      from rollouts
      where organization_id = ${organization_id}
        and state = 'succeeded'
      group by project_id, environment
    ) as successes
    where known.project_id = successes.project_id
      and known.environment = successes.environment
      and known.organization_id = ${organization_id}
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
