/** Gauges of pending work outside the job queue, and of workers, hooks, channels and connections. */
import { asAccount, sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'

export interface Gauge {
  name: string
  help: string
  values: [labels: Record<string, string>, value: number][]
}

const gauge = (name: string, help: string, values: Gauge['values']): Gauge => ({ name, help, values })

/** Events that are not fanned out yet. */
async function outboxGauges(): Promise<Gauge[]> {
  const [{ waiting, oldest }] = await acrossTenants(
    sql<[{ waiting: number; oldest: number }]>`
    select count(*) as waiting, coalesce(extract(epoch from now() - min(event.created_at)), 0) as oldest
    from waiting_events as event
    join organizations as organization on organization.id = event.organization_id and organization.deleted_at is null
  `,
    'partly',
  )
  return [
    gauge('signalbox_outbox_events', 'Events that are committed and not fanned out yet.', [[{}, waiting]]),
    gauge('signalbox_outbox_oldest_seconds', 'Age of the oldest event that is not fanned out yet.', [[{}, Math.max(0, oldest)]]),
  ]
}

/** Pending deliveries: due, scheduled for a retry, or held because the hook is paused. */
interface Pending {
  ready: number
  scheduled: number
  held: number
  oldest: number
}

/** @param rows of `due_at` and `is_held` */
async function countPending(rows: ReturnType<typeof sql>): Promise<Pending> {
  const [waiting] = await acrossTenants(
    sql<[Pending]>`
    select
      count(*) filter (where due_at <= now() and not is_held) as ready,
      count(*) filter (where due_at > now() and not is_held)  as scheduled,
      count(*) filter (where is_held)                                  as held,
      coalesce(extract(epoch from now() - min(due_at) filter (where not is_held)), 0) as oldest
    from (${rows}) as waiting
  `,
    'partly',
  )
  return waiting
}

const pendingDispatches = () =>
  countPending(sql`
    select delivery.due_at, hook.paused or not hook.enabled as is_held
    from deliveries as delivery
    join deployment_hooks as hook on hook.id = delivery.lane_id and hook.organization_id = delivery.organization_id
  `)

/** A `Retry-After` of the tool holds all messages of a channel. */
const pendingMessages = () =>
  countPending(sql`
    select delivery.due_at, coalesce(health.held_until > now(), false) as is_held
    from deliveries as delivery
    join lanes as lane on lane.id = delivery.lane_id and lane.organization_id = delivery.organization_id and lane.kind = 'channel'
    left join lane_health as health on health.lane_id = lane.id and health.organization_id = lane.organization_id
  `)

const pendingGauges = (name: string, things: string, { ready, scheduled, held, oldest }: Pending): Gauge[] => [
  gauge(`signalbox_${name}_waiting`, `Pending ${things}, by state: ready (due), scheduled (for a retry), held.`, [
    [{ state: 'ready' }, ready],
    [{ state: 'scheduled' }, scheduled],
    [{ state: 'held' }, held],
  ]),
  gauge(`signalbox_${name}_oldest_ready_seconds`, 'Seconds since the oldest ready one became due.', [[{}, Math.max(0, oldest)]]),
]

async function countResources(): Promise<Gauge[]> {
  const [{ online, stale, hooks, hooks_off, channels, channels_off }] = (await acrossTenants(
    sql<[Record<string, number>]>`
    select
      (select count(*) from workers where process_status(seen_at) = 'online')               as online,
      (select count(*) from workers where process_status(seen_at) <> 'online')              as stale,
      (select count(*) from deployment_hooks where enabled)                                  as hooks,
      (select count(*) from deployment_hooks where disabled_reason is not null)              as hooks_off,
      (select count(*) from notification_channels where enabled)                             as channels,
      (select count(*) from notification_channels where disabled_reason is not null)         as channels_off
  `,
    'partly',
  )) as [Record<string, number>]
  return [
    gauge('signalbox_workers', 'Worker processes: online, or stale (no heartbeat for 15 seconds).', [
      [{ status: 'online' }, online ?? 0],
      [{ status: 'stale' }, stale ?? 0],
    ]),
    gauge('signalbox_hooks', 'Deployment hooks: enabled, or disabled by the service.', [
      [{ status: 'enabled' }, hooks ?? 0],
      [{ status: 'switched_off' }, hooks_off ?? 0],
    ]),
    gauge('signalbox_channels', 'Notification channels: enabled, or disabled by the service.', [
      [{ status: 'enabled' }, channels ?? 0],
      [{ status: 'switched_off' }, channels_off ?? 0],
    ]),
  ]
}

/** Connections of all processes to the database, as the server sees them. */
async function connectionGauges(): Promise<Gauge[]> {
  const found = await asAccount(
    (tx) => tx<{ pool: string; state: string; count: number }[]>`
      select application_name as pool, case state when 'idle' then 'idle' else 'used' end as state, count(*) as count
      from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
      group by 1, 2
      order by 1, 2
    `,
  )
  return [
    gauge(
      'db_client_connections',
      'Connections to the database, by application name.',
      found.map(({ pool, state, count }) => [
        { db_client_connection_pool_name: pool || 'unnamed', db_client_connection_state: state },
        count,
      ]),
    ),
  ]
}

/** The worker nodes of a cluster; no values on one PostgreSQL. */
export async function nodeGauges(): Promise<Gauge[]> {
  const [{ online, away }] = await sql<[{ online: number; away: number }]>`
    select count(*) filter (where online) as online, count(*) filter (where not online) as away from ops.nodes()
  `
  return [
    gauge(
      'signalbox_cluster_nodes',
      'Worker nodes of a Citus cluster, by state: online, or away (the coordinator cannot reach it).',
      online + away === 0
        ? []
        : [
            [{ state: 'online' }, online],
            [{ state: 'away' }, away],
          ],
    ),
  ]
}

/**
 * All gauges of the backlog, read one statement after another. On a cluster, they leave out the organizations of nodes that are away.
 */
export const backlogGauges = async (): Promise<Gauge[]> => [
  ...(await outboxGauges()),
  ...pendingGauges('dispatches', 'dispatches', await pendingDispatches()),
  ...pendingGauges('messages', 'messages of notification channels', await pendingMessages()),
  ...(await countResources()),
  ...(await connectionGauges()),
]

/** Jobs by task and state, with zeros for tasks without jobs. Reads every job once. */
export async function queueGauges(db: Queryable): Promise<Gauge[]> {
  const rows = await db<{ task: string; state: string; jobs: number; seconds: number }[]>`
    with counted as (
      select task_id, state, count(*) as jobs, min(run_at) as oldest from queue.jobs group by task_id, state
    )
    select
      task.task,
      states.state,
      coalesce(counted.jobs, 0) as jobs,
      coalesce(greatest(extract(epoch from now() - counted.oldest), 0), 0) as seconds
    from queue.tasks as task
    cross join unnest(array['ready', 'running', 'scheduled', 'retrying', 'failed']) as states (state)
    left join counted
      on counted.task_id = task.id
      and counted.state = states.state
    order by task.task, states.state
  `
  return [
    gauge(
      'signalbox_queue_jobs',
      'Jobs by task and state: ready (due), running, scheduled, retrying, failed (out of attempts).',
      rows.map(({ task, state, jobs }) => [{ task, state }, jobs]),
    ),
    gauge(
      'signalbox_queue_oldest_ready_seconds',
      'Seconds since the oldest ready job became due.',
      rows.filter(({ state }) => state === 'ready').map(({ task, seconds }) => [{ task }, seconds]),
    ),
  ]
}
