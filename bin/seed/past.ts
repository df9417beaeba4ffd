/** Moves the finished work into the past weeks and adds the spend of past months, which the API cannot do. */

import { isDistributed } from '../../sql/citus/layout.ts'
import type { Sql, Tx } from '../../sql/index.ts'
import { connect } from '../../sql/index.ts'
import { addHistory, type Known } from './history.ts'
import { moveRollouts, rememberCauses, settleEnvironments } from './past-rollouts.ts'
import { spreadPresent } from './present.ts'

/**
 * @param databaseUrl of the database in which the organization is
 * @param pipelines whose deployments are added
 * @returns false on a cluster, which cannot run these statements: everything stays dated today
 */
export async function moveIntoPast(databaseUrl: string, organization_id: string, pipelines: Known[]): Promise<boolean> {
  const sql: Sql = connect(databaseUrl, 'signalbox seed', 1)
  try {
    if (await isDistributed(sql)) return false
    await sql.begin(async (tx) => {
      await rememberCauses(tx, organization_id)
      await moveWork(tx, organization_id)
      await moveRollouts(tx, organization_id)
      await addHistory(tx, organization_id, pipelines)
      await settleEnvironments(tx, organization_id)
      await moveReleases(tx, organization_id)
      await moveScopes(tx, organization_id)
      await addSpend(tx, organization_id)
      await spreadPresent(tx, organization_id)
    })
    return true
  } finally {
    await sql.end()
  }
}

/**
 * The older the requirement, the further back: three days for each that was added to its project later. Executions of a requirement
 * follow one another, an hour each.
 */
async function moveWork(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    create temporary table past on commit drop as
    select
      requirement.id as requirement_id,
      (1 + max(number) over (partition by project_id) - number) * interval '3 days' as age,
      (1 + number % 7) * interval '6 hours' as lead
    from requirements as requirement
    where organization_id = ${organization_id}
      and status <> 'open'
      and not exists (
        select
        from executions
        where requirement_id = requirement.id
          and organization_id = ${organization_id}
          and finished_at is null
      )
  `
  await tx`
    update requirements
    set created_at = created_at - age, completed_at = completed_at - age + lead
    from past
    where id = requirement_id
      and organization_id = ${organization_id}
  `
  await tx`
    update requirement_changes as change
    set changed_at = changed_at - age + case to_status when 'done' then lead else interval '1 hour' end
    from past
    where change.requirement_id = past.requirement_id
      and organization_id = ${organization_id}
  `
  await tx`
    create temporary table past_executions on commit drop as
    select id, age - row_number() over (partition by execution.requirement_id order by id) * interval '1 hour' as age
    from executions as execution
    join past on past.requirement_id = execution.requirement_id
    where organization_id = ${organization_id}
  `
  await tx`
    update executions as execution
    set
      created_at = created_at - age,
      started_at = started_at - age,
      finished_at = finished_at - age + interval '45 minutes'
    from past_executions as past
    where execution.id = past.id
      and organization_id = ${organization_id}
  `
  await tx`
    update gates as gate
    set
      created_at = gate.created_at - age + interval '15 minutes',
      decided_at = gate.decided_at - age + interval '30 minutes'
    from past_executions as past
    join executions as execution on execution.id = past.id
    where gate.execution_id = execution.id
      and gate.organization_id = ${organization_id}
      and execution.organization_id = ${organization_id}
  `
}

/** Moves each project to a day before the first that happened in it, and organization and workspace to before their projects. */
async function moveScopes(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    update projects as project
    set created_at = first.at - interval '1 day'
    from (
      select project_id, min(at) as at
      from (
        select project_id, created_at as at from requirements where organization_id = ${organization_id}
        union all
        select project_id, event_at from rollouts where organization_id = ${organization_id}
      ) as happened
      group by project_id
    ) as first
    where project.id = first.project_id
      and project.organization_id = ${organization_id}
  `
  await tx`
    update deployment_hooks as hook
    set created_at = project.created_at + interval '1 hour'
    from projects as project
    where project.id = hook.project_id
      and project.organization_id = ${organization_id}
      and hook.organization_id = ${organization_id}
  `
  await tx`
    update workspaces as workspace
    set created_at = first.at - interval '1 hour'
    from (
      select workspace_id, min(created_at) as at
      from projects
      where organization_id = ${organization_id}
      group by workspace_id
    ) as first
    where workspace.id = first.workspace_id
      and workspace.organization_id = ${organization_id}
  `
  await tx`
    update organizations
    set created_at = (select min(created_at) from workspaces where organization_id = ${organization_id}) - interval '1 hour'
    where id = ${organization_id}
  `
  await tx`
    update organization_members as member
    set joined_at = founded.at + ranked.rank * ranked.rank * interval '19 hours'
    from
      (select created_at as at from organizations where id = ${organization_id}) as founded,
      (
        select user_id, row_number() over (order by joined_at, user_id) - 1 as rank
        from organization_members
        where organization_id = ${organization_id}
      ) as ranked
    where member.user_id = ranked.user_id
      and member.organization_id = ${organization_id}
  `
}

/** Published documents, to a day after the last change that they contain. */
async function moveReleases(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    with release as (
      select deliverable.id, max(requirement.completed_at) + interval '1 day' as at
      from deliverables as deliverable
      join requirements as requirement
        on requirement.organization_id = deliverable.organization_id
        and deliverable.source -> 'requirement_ids' ? requirement.id::text
      where deliverable.organization_id = ${organization_id}
        and deliverable.status = 'published'
      group by deliverable.id
    )
    update deliverables as deliverable
    set
      created_at = release.at,
      published_at = release.at,
      source = jsonb_set(
        source, '{as_of}', to_jsonb(to_char(release.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      )
    from release
    where deliverable.id = release.id
      and deliverable.organization_id = ${organization_id}
  `
}

/** Three past months, with less spent the longer ago. */
async function addSpend(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    with spend as (
      select
        workspace_id,
        project.id as project_id,
        agent.name as agent,
        agent.model,
        (date_trunc('month', now() at time zone 'utc') - past.months * interval '1 month')::date as month,
        (agent.usd * past.share)::usd as used_usd
      from projects as project
      cross join (values (1, 1.55), (2, 1.2), (3, 0.75)) as past (months, share)
      cross join (
        values
          ('claude-code', 'claude-opus-4-8', 54.2),
          ('claude-code', 'claude-haiku-4-5', 14.3),
          ('codex', 'gpt-5.2-codex', 41.25)
      ) as agent (name, model, usd)
      where project.organization_id = ${organization_id}
    ),
    by_model as (
      insert into model_spend (organization_id, month, workspace_id, project_id, agent, model, used_usd)
      select ${organization_id}, month, workspace_id, project_id, agent, model, used_usd
      from spend
    ),
    by_agent as (
      insert into agent_spend (organization_id, month, workspace_id, project_id, agent, used_usd)
      select ${organization_id}, month, workspace_id, project_id, agent, sum(used_usd)
      from spend
      group by month, workspace_id, project_id, agent
    ),
    by_workspace as (
      insert into workspace_spend (organization_id, workspace_id, month, used_usd)
      select ${organization_id}, workspace_id, month, sum(used_usd)
      from spend
      group by workspace_id, month
    )
    insert into organization_spend (organization_id, month, used_usd)
    select ${organization_id}, month, sum(used_usd)
    from spend
    group by month
  `
}
