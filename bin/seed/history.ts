/** Four months of deployments before the work that the API plays. Inserted in bulk: one by one they would take minutes. */
import type { Tx } from '../../sql/index.ts'
import type { Resource } from '../support/api-client.ts'
import type { Clients } from './accounts.ts'
import type { Site } from './organization.ts'

interface Pipeline {
  project: 'checkout' | 'identity' | 'vision'
  hook: string
  environment: string
  /** Days ago, of its first and its last deployment. */
  from: number
  to: number
  per_week: number
  /** The part of them that fails. Each failure is followed by a rollback. */
  failing: number
  /** Typical minutes from what triggered it to the report of its success. */
  lead: number
  /** Milliseconds in which its receiver typically answers. */
  latency: number
  /** The beginning of its versions. */
  version: string
}

const PIPELINES: Pipeline[] = [
  {
    project: 'checkout',
    hook: 'Jenkins, before the move',
    environment: 'production',
    from: 122,
    to: 46,
    per_week: 4,
    failing: 0.14,
    lead: 190,
    latency: 640,
    version: 'v1.',
  },
  {
    project: 'checkout',
    hook: 'Previews',
    environment: 'preview',
    from: 118,
    to: 0,
    per_week: 11,
    failing: 0.07,
    lead: 12,
    latency: 120,
    version: 'preview-',
  },
  {
    project: 'identity',
    hook: 'Roll out to customers',
    environment: 'production',
    from: 120,
    to: 0,
    per_week: 3,
    failing: 0.09,
    lead: 75,
    latency: 210,
    version: 'v3.',
  },
  {
    project: 'identity',
    hook: 'Roll out to staging',
    environment: 'staging',
    from: 120,
    to: 0,
    per_week: 7,
    failing: 0.06,
    lead: 18,
    latency: 180,
    version: 'v3.',
  },
  {
    project: 'vision',
    hook: 'Flash the test hall',
    environment: 'test-hall',
    from: 100,
    to: 1,
    per_week: 4,
    failing: 0.2,
    lead: 260,
    latency: 1_400,
    version: 'v0.',
  },
]

const FAILURES = [
  '2 of 3 instances did not become healthy within five minutes.',
  'The migration waited for a lock for more than 30 seconds.',
  'The error rate rose to 4 % within ten minutes.',
  'The smoke test of the sign-in page timed out.',
  'An image of the release is missing in the registry.',
]

/** A pipeline with the hook that was made for it. */
export type Known = Pipeline & { hook_id: string }

/** Whether it is not used any more. */
const isFormer = ({ to }: Pipeline): boolean => to > 30

/** Makes a hook for each pipeline, after the work was played: they get no events of it. */
export async function createPipelines({ grace }: Clients, site: Site, receiver: string): Promise<Known[]> {
  const create = async (pipeline: Pipeline): Promise<Known> => {
    const { id } = await grace.post<Resource>(`/projects/${site[pipeline.project].id}/deployment-hooks`, {
      name: pipeline.hook,
      trigger_on: 'gate_approved',
      url: `${receiver}/${pipeline.environment}`,
      environment: pipeline.environment,
      report_within_seconds: 14_400,
      ...(isFormer(pipeline) && { filter: { '/data/gate/name': { starts_with: 'Jenkins' } } }),
    })
    if (isFormer(pipeline)) await grace.put(`/deployment-hooks/${id}`, { paused: true })
    return { ...pipeline, hook_id: id }
  }
  const known: Known[] = []
  for (const pipeline of PIPELINES) known.push(await create(pipeline))
  return known
}

/** Inserts the deployments of the pipelines. The same every time, but for the hour at which it runs. */
export async function addHistory(tx: Tx, organization_id: string, pipelines: Known[]): Promise<void> {
  await drawDeployments(tx, organization_id, pipelines)
  await tx`
    insert into dispatches (
      id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, status,
      attempt_count, max_attempts, report_within_seconds, created_at, completed_at
    )
    select
      id, ${organization_id}, workspace_id, project_id, hook_id, event_id, event, environment, sequence, 'succeeded',
      attempts, 8, 14400, event_at, event_at + attempts * interval '5 seconds'
    from deployments
  `
  // The trigger of the dispatches has made them.
  await tx`
    update rollouts as rollout
    set
      state = case when deployment.fails then 'failed' else 'succeeded' end,
      version = deployment.version,
      url = 'https://ci.northwind.example.com/runs/' || 1000 + deployment.run,
      description = case when deployment.fails then (${FAILURES}::text[])[1 + deployment.run % ${FAILURES.length}] end,
      created_at = deployment.event_at,
      started_at = deployment.event_at + interval '20 seconds',
      reported_at = deployment.at,
      lead_ms = case when not deployment.fails then extract(epoch from deployment.at - deployment.event_at) * 1000 end,
      restore_ms = case when deployment.restores then extract(epoch from deployment.at - deployment.failed_at) * 1000 end
    from deployments as deployment
    where rollout.id = deployment.id
      and rollout.organization_id = ${organization_id}
  `
  await addAuditEntries(tx, organization_id)
  await tx`
    insert into dispatch_bodies (dispatch_id, organization_id, body)
    select
      id, ${organization_id},
      jsonb_build_object(
        'id', event_id, 'event', event, 'occurred_at', event_at, 'organization_id', ${organization_id}::uuid,
        'project_id', project_id, 'environment', environment, 'sequence', sequence,
        'data', jsonb_build_object('target_version', version)
      )::text
    from deployments
  `
  await tx`
    insert into dispatch_attempts (
      dispatch_id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms, response_status,
      response_headers, response_body
    )
    select
      id, ${organization_id}, number, event_at + (number - 1) * interval '5 seconds', '127.0.0.1', 1 + run % 4,
      latency, latency + 2, case when number < attempts then 503 else 200 end, '{}',
      case when number < attempts then 'the build queue is full' else 'ok' end
    from deployments
    cross join generate_series(1, attempts) as number
  `
  await tx`
    update lanes
    set sequence = last.sequence
    from (select hook_id, max(sequence) as sequence from deployments group by hook_id) as last
    where lanes.id = last.hook_id
      and lanes.organization_id = ${organization_id}
  `
}

/** What the API records of rollbacks and reports. Entries of the work that was played keep their time: they are sealed. */
async function addAuditEntries(tx: Tx, organization_id: string): Promise<void> {
  await tx`
    insert into audit_log_entries (
      id, organization_id, workspace_id, actor_type, actor_id, actor_name, action, resource_type, resource_id, detail, ip_address,
      created_at
    )
    select
      pg_temp.id_at(entry.at, entry.action || deployment.id), ${organization_id}, deployment.workspace_id, entry.actor_type,
      entry.actor_id, entry.actor_name, entry.action, entry.resource_type, entry.resource_id, entry.actor_name || entry.predicate,
      '127.0.0.1', entry.at
    from deployments as deployment
    join deployment_hooks as hook
      on hook.id = deployment.hook_id
      and hook.organization_id = ${organization_id}
    join people as creator on creator.id = hook.created_by
    cross join lateral (
      values
        (
          'rollout.reported', deployment.at, 'token', null, 'The report token', 'dispatch', deployment.id,
          ' reported that a rollout of the deployment hook ' || hook.name || ' to ' || hook.environment
            || case when deployment.fails then ' failed.' else ' succeeded.' end
        ),
        (
          'deployment.rollback', deployment.event_at, 'human', creator.id, creator.name, 'project', deployment.project_id,
          ' requested a rollback to ' || deployment.version || ', sent to 1 deployment hook.'
        )
    ) as entry (action, at, actor_type, actor_id, actor_name, resource_type, resource_id, predicate)
    where entry.action = 'rollout.reported'
      or deployment.restores
  `
}

/**
 * The deployments as a temporary table, on workdays. Chance is a hash of the hook's name and the number, so that it falls the same
 * way each time.
 */
async function drawDeployments(tx: Tx, organization_id: string, pipelines: Known[]): Promise<void> {
  await tx`
    create function pg_temp.chance(seed text) returns double precision
      language sql
      return ('x' || left(md5(seed), 7))::bit(28)::integer / 268435456.0
  `
  await tx`
    create function pg_temp.id_at(moment timestamptz, seed text) returns uuid
      language sql
      return (
        left(partition_boundary(moment)::text, 14) || '7' || substr(md5(seed), 1, 3) || '-8' || substr(md5(seed), 4, 3) || '-'
          || substr(md5(seed), 7, 12)
      )::uuid
  `
  await tx`
    create temporary table deployments on commit drop as
    with drawn as (
      select
        pipeline.*, hook.workspace_id, hook.project_id as of_project, n, pipeline.hook || n as seed,
        date_trunc('day', now() - (pipeline.from - (n - 1) * 7.0 / pipeline.per_week) * interval '1 day')
          + (8 + 9 * pg_temp.chance(pipeline.hook || n || ' hour')) * interval '1 hour' as at,
        pg_temp.chance(pipeline.hook || n || ' fails') < pipeline.failing as fails
      from jsonb_to_recordset(${tx.json(pipelines as never)}) as pipeline (
        hook_id uuid, hook text, environment text, "from" numeric, "to" numeric, per_week numeric, failing numeric,
        lead numeric, latency numeric, version text
      )
      join deployment_hooks as hook
        on hook.id = pipeline.hook_id
        and hook.organization_id = ${organization_id}
      cross join lateral generate_series(1, floor((pipeline.from - pipeline.to) * pipeline.per_week / 7)::integer) as n
    ),
    -- Each failure is made up for by a rollback to the version before.
    with_rollbacks as (
      select drawn.*, 'gate.approved' as event, n as number, false as restores, null::timestamptz as failed_at from drawn
      union all
      select
        hook_id, hook, environment, "from", "to", per_week, failing, 4, latency, version, workspace_id, of_project, n,
        seed || ' rollback', at + (15 + 70 * pg_temp.chance(seed || ' restore')) * interval '1 minute', false,
        'deployment.rollback', n - 1, true, at
      from drawn
      where fails
    ),
    timed as (
      select
        *,
        at - lead * (0.4 + 1.8 * power(pg_temp.chance(seed || ' lead'), 2)) * interval '1 minute' as event_at
      from with_rollbacks
      where extract(isodow from at) < 6
        and at < now() - interval '10 minutes'
    )
    select
      pg_temp.id_at(event_at, hook_id || seed) as id, pg_temp.id_at(event_at, hook_id || seed || ' event') as event_id,
      hook_id, workspace_id, of_project as project_id, environment, event, event_at, at, fails, restores, failed_at,
      version || number / 10 || case version when 'preview-' then '' else '.' end || number % 10 as version,
      row_number() over (partition by hook_id order by event_at) as sequence,
      row_number() over (order by event_at) as run,
      case when pg_temp.chance(seed || ' retry') < 0.04 then 2 else 1 end as attempts,
      (latency * (0.6 + 1.2 * power(pg_temp.chance(seed || ' latency'), 3)))::integer as latency
    from timed
  `
}
