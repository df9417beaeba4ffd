/** Moves what was played into the past weeks, and adds four months before them, which the API cannot do. */
import { isDistributed } from '../../sql/citus/layout.ts'
import { connect, type Tx } from '../../sql/index.ts'
import type { DatabaseTarget } from '../../sql/target.ts'
import type { Pipeline } from './story.ts'

/** The moments of each table. */
const MOMENTS = {
  requirements: ['created_at', 'completed_at'],
  requirement_changes: ['changed_at'],
  executions: ['created_at', 'started_at', 'finished_at'],
  gates: ['created_at', 'decided_at'],
  gate_approvals: ['created_at'],
  deliverables: ['created_at', 'published_at'],
  dual_track_comparisons: ['created_at', 'decided_at'],
  notifications: ['created_at'],
  dispatches: ['created_at', 'completed_at', 'last_started_at'],
  repeated_attempts: ['started_at'],
  rollouts: ['event_at', 'created_at'],
}

/** A pipeline of the story, with the hook that was made for it. */
export type Known = Pipeline & { hook_id: string }

/**
 * @param starts when each task began, and at last when all had ended
 * @param pipelines whose deployments are added
 * @returns false on a cluster, which cannot run these statements: everything stays dated today
 */
export async function moveIntoPast(database: DatabaseTarget, organization_id: string, starts: Date[], pipelines: Known[]) {
  const sql = connect(database, 'signalbox seed', 1)
  try {
    if (await isDistributed(sql)) return false
    await sql.begin(async (tx) => {
      await mapMoments(tx, starts)
      await moveStory(tx, organization_id)
      await drawDeployments(tx, organization_id, pipelines)
      await addDeployments(tx, organization_id)
      await settleEnvironments(tx, organization_id)
      await addSpend(tx, organization_id)
    })
    return true
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Creates `pg_temp.past(moment)`: the tasks are spread over 60 days, closer to each other the later they are, so that the last ones
 * are hours old. Within a task, a second becomes forty minutes, up to the beginning of the next.
 */
async function mapMoments(tx: Tx, starts: Date[]): Promise<void> {
  await tx`
    create temporary table tasks on commit drop as
    select
      start, lead(start) over (order by start) as next,
      now() - interval '60 days' * power(1 - (number - 1) / (${starts.length} - 1.0), 2) as at,
      now() - interval '60 days' * power(1 - number / (${starts.length} - 1.0), 2) as next_at
    from unnest(${starts.map((start) => start.toISOString())}::timestamptz[]) with ordinality as task (start, number)
  `
  await tx`
    create function pg_temp.past(moment timestamptz) returns timestamptz
      language sql
      return coalesce(
        (
          select least(tasks.at + (moment - tasks.start) * 2400, tasks.next_at - interval '1 second')
          from tasks
          where moment >= tasks.start
            and moment < tasks.next
        ),
        moment
      )
  `
}

async function moveStory(tx: Tx, organization_id: string): Promise<void> {
  // Of a rollout, a second becomes four minutes.
  await tx`
    update rollouts
    set
      started_at = pg_temp.past(event_at) + (started_at - event_at) * 240,
      reported_at = pg_temp.past(event_at) + (reported_at - event_at) * 240,
      lead_ms = lead_ms * 240,
      restore_ms = restore_ms * 240
    where organization_id = ${organization_id}
  `
  for (const [table, columns] of Object.entries(MOMENTS)) {
    await tx`
      update ${tx(table)}
      set ${columns.flatMap((column, at) => [at > 0 ? tx`,` : tx``, tx`${tx(column)} = pg_temp.past(${tx(column)})`])}
      where organization_id = ${organization_id}
    `
  }
  // A document says of when it is.
  await tx`
    update deliverables
    set source = jsonb_set(source, '{as_of}', to_jsonb(to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    where organization_id = ${organization_id}
  `
}

/**
 * The deployments of pipelines as a temporary table, with columns of the tables that they go into. Every so many fail; each failure is
 * made up for by a rollback within hours.
 */
async function drawDeployments(tx: Tx, organization_id: string, pipelines: Known[]): Promise<void> {
  await tx`
    create function pg_temp.id_at(moment timestamptz) returns uuid
      language sql
      return (left(partition_boundary(moment)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid
  `
  await tx`
    create temporary table deployments on commit drop as
    with drawn as (
      select
        hook.id as hook_id, hook.workspace_id, hook.project_id, hook.environment, hook.created_by, sequence, days, lead, first,
        sequence % every = 0 as fails, sequence % every = 1 and sequence > 1 as restores
      from jsonb_to_recordset(${tx.json(pipelines as never)}) as pipeline (
        hook_id uuid, first numeric, last numeric, days numeric, every integer, lead numeric
      )
      join deployment_hooks as hook on hook.id = hook_id and hook.organization_id = ${organization_id}
      cross join lateral generate_series(1, floor((first - last) / days)::integer) as sequence
    ),
    timed as (
      select
        *,
        now() - (first - (sequence - case when restores then 0.95 else random() / 2 end) * days) * interval '1 day' as at,
        (case when restores then 4 else lead * (0.4 + 1.8 * power(random(), 2)) end) * interval '1 minute' as taken,
        -- A rollback deploys the version before the one that failed.
        'v0.' || sequence - case when restores then 2 else 0 end || '.0' as version
      from drawn
    ),
    named as (select *, at - taken as created_at, pg_temp.id_at(at - taken) as id from timed)
    select
      *, id as event_id, id as dispatch_id, created_at as last_started_at, created_at + interval '1 second' as completed_at,
      lag(at) over (partition by hook_id order by sequence) as failed_at,
      case when restores then 'deployment.rollback' else 'gate.approved' end as event,
      (100 + 300 * power(random(), 3))::integer as last_duration_ms, null as gate_id, null as graph_id,
      case when restores then 'deployment.rollback' else 'rollout.reported' end as action, id as resource_id, null as via,
      case
        when restores then 'A rollback to ' || version || ' was requested.'
        else 'A rollout to ' || environment || case when fails then ' failed.' else ' succeeded.' end
      end as detail,
      jsonb_build_object(
        'id', id, 'occurred_at', created_at, 'organization_id', ${organization_id}::uuid, 'project_id', project_id,
        'environment', environment, 'sequence', sequence, 'data', jsonb_build_object('target_version', version)
      )::text as body
    from named
  `
}

/** Inserts them in bulk: one by one they would take minutes. */
async function addDeployments(tx: Tx, organization_id: string): Promise<void> {
  const [model] = await tx<{ id: string }[]>`
    select id
    from dispatches
    where organization_id = ${organization_id}
      and status = 'succeeded'
      and event = 'workflow.completed'
      and attempt_count = 1
      and report_within_seconds is not null
  `
  // Copies of a dispatch of the story and of what is about it, with places and times of their own.
  const copy = (table: string, key: string, own = tx`'{}'`) => tx`
    insert into ${tx(table)}
    select copy.*
    from (
      select row from ${tx(table)} as row where ${tx(key)} = ${model?.id ?? null} and organization_id = ${organization_id} limit 1
    ) as original
    cross join deployments as deployment
    cross join lateral jsonb_populate_record(row, to_jsonb(deployment) || ${own}) as copy
  `
  await copy('dispatches', 'id')
  // Entries of the story keep their time: they are sealed.
  await copy('audit_log_entries', 'resource_id', tx`jsonb_build_object('id', pg_temp.id_at(at), 'created_at', at)`)
  // The trigger of the dispatches has made them.
  await tx`
    update rollouts as rollout
    set
      state = case when fails then 'failed' else 'succeeded' end,
      version = deployment.version,
      url = 'https://ci.northwind.example.com/runs/' || 1000 + sequence,
      description = case when fails then 'The smoke test of the sign-in page timed out.' end,
      created_at = deployment.created_at,
      started_at = deployment.created_at + interval '20 seconds',
      reported_at = deployment.at,
      lead_ms = case when not fails then extract(epoch from taken) * 1000 end,
      restore_ms = case when restores then extract(epoch from deployment.at - failed_at) * 1000 end
    from deployments as deployment
    where rollout.id = deployment.id and rollout.organization_id = ${organization_id}
  `
  await tx`
    update lanes
    set sequence = last.sequence
    from (select hook_id, max(sequence) as sequence from deployments group by hook_id) as last
    where lanes.id = last.hook_id and lanes.organization_id = ${organization_id}
  `
}

/** What runs where, now that all rollouts have their time. The figures are out of date, and so are made again. */
async function settleEnvironments(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    update environments as known
    set current_id = successes[1], previous_id = successes[2], latest_id = latest[1], figures_until = now()
    from (
      select
        project_id, environment, array_agg(id order by reported_at desc) as latest,
        array_agg(id order by reported_at desc) filter (where state = 'succeeded') as successes
      from rollouts
      where organization_id = ${organization_id}
        and reported_at is not null
      group by project_id, environment
    ) as rollout
    where known.project_id = rollout.project_id
      and known.environment = rollout.environment
      and known.organization_id = ${organization_id}
  `
}

/** Three past months like this one, with less spent the longer ago. */
async function addSpend(tx: Tx, organization_id: string): Promise<void> {
  for (const table of ['model_spend', 'agent_spend', 'workspace_spend', 'organization_spend']) {
    await tx`
      insert into ${tx(table)}
      select past.*
      from ${tx(table)} as spend
      cross join (values (1, 0.75), (2, 0.5), (3, 0.25)) as before (months, share)
      cross join lateral jsonb_populate_record(
        spend,
        jsonb_build_object('month', (month - months * interval '1 month')::date, 'used_usd', used_usd * share)
      ) as past
      where spend.organization_id = ${organization_id}
    `
  }
}
