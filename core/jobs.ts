/** Jobs: the payload of every task, and, with mail-jobs.ts and `sql`, the only SQL that names the job queue. */
import type { Queryable } from '../sql/index.ts'

/** Payloads carry ids and nothing else: a job looks again at what it works on, and may run twice. */
export interface Tasks {
  drain_outbox: Record<string, never>
  dispatch_hook: { lane_id: string }
  compare_tracks: { comparison_id: string }
  generate_deliverable: { deliverable_id: string }
  mail_verification: { user_id: string }
  mail_password_reset: { reset_id: string }
  mail_security_notice: { entry_id: string }
  mail_hook_disabled: { hook_id: string; user_id?: string }
  mail_invitation: { invitation_id: string }
  purge_organization: { organization_id: string }
  deliver_channel: { lane_id: string }
  mail_channel_disabled: { channel_id: string; user_id?: string }
  mail_notification: { notification_id: string }
  forget_expired: Record<string, never>
}

/** How a task's jobs are run, where that is not the default. */
const SPECS: Partial<Record<keyof Tasks, { priority: number; inTurn: boolean }>> = {
  // A model may take a minute, and nobody waits for a deployment by it; a tenant's comparisons go one after the other.
  compare_tracks: { priority: 10, inTurn: true },
  // The same for documents, of which a large project's take long.
  generate_deliverable: { priority: 10, inTurn: true },
}

/** What ops pause a job by: its task, and the tenant that it works for. */
const flagsOf = (task: keyof Tasks, organization_id: string | null): string[] =>
  organization_id === null ? [`task:${task}`] : [`org:${organization_id}`, `task:${task}`]

/**
 * Adds a job, as part of the open transaction.
 *
 * @param organization_id the one tenant that it works for; null for work on behalf of all, or of one user
 */
export async function addJob<Task extends keyof Tasks>(
  db: Queryable,
  task: Task,
  payload: Tasks[Task],
  organization_id: string | null = null,
): Promise<void> {
  const { priority, inTurn } = SPECS[task] ?? { priority: 0, inTurn: false }
  await db`
    select from graphile_worker.add_job(
      ${task}::text,
      ${db.json(payload)}::json,
      queue_name := ${inTurn ? `${task}:${organization_id}` : null}::text,
      priority := ${priority}::integer,
      flags := ${flagsOf(task, organization_id)}::text[]
    )
  `
}

/** Drops the jobs of a tenant that have not begun. */
export async function dropJobs(db: Queryable, organization_id: string): Promise<void> {
  await db`
    select from graphile_worker.complete_jobs(array(
      select id
      from graphile_worker.jobs
      where flags ? ${`org:${organization_id}`}
        and locked_at is null
    ))
  `
}

/** Where workers are told that events wait: a job alone would have to wait until one of a worker's slots is free. */
export const OUTBOX_CHANNEL = 'signalbox_outbox'

/**
 * Asks for a drain. It is not waited for until that is on disk: were it lost with the server, or heard by nobody, the poll
 * would ask again.
 */
export async function wakeDrain(db: Queryable): Promise<void> {
  await db`
    select pg_notify(${OUTBOX_CHANNEL}, '')
    from (select set_config('synchronous_commit', 'off', true) as setting) as fast
    where setting = 'off'
  `
}

/**
 * Asks for a drain, and leaves a job until there was one: for events that nobody drains. One job serves all; while it
 * runs there is no second one, of which in a flood there would be more than places to run them.
 */
export async function queueDrain(db: Queryable): Promise<void> {
  await db`
    select
      pg_notify(${OUTBOX_CHANNEL}, ''),
      case
        when not exists (select from graphile_worker.jobs where key = 'drain_outbox' and locked_at is not null) then (
          select id
          from graphile_worker.add_job(
            'drain_outbox', '{}', job_key := 'drain_outbox', priority := -10, flags := '{task:drain_outbox}'
          )
        )
      end as job_id
  `
}

/** The tasks whose jobs wake lanes. */
export type LaneTask = 'dispatch_hook' | 'deliver_channel'

/** The flag of a tenant's lane jobs, before its id: a worker that is full takes those of other tenants only. */
export const LANE_FLAG = 'lane:'

/** Behind everything else that is due. Of mails of notifications a tenant may have very many. */
export const LAST_TURN = 9

/** Adds a job for each lane, due now; one that waits for a later moment is moved to now. `sql/ops` says in which order. */
export async function wakeLanes(db: Queryable, lane_ids: string[]): Promise<void> {
  if (lane_ids.length === 0) return
  await db`select ops.wake_lanes(${lane_ids}::uuid[])`
}

/**
 * Adds a job that wakes a lane at a later moment. One that waits for an earlier moment keeps it, and one that waits for a
 * later moment is moved: the drain leases lanes whose alarm is still set. The lane is locked, so that no other transaction wakes it between
 * the look and the write.
 */
export async function wakeLaneAt(
  db: Queryable,
  task: LaneTask,
  { id, organization_id }: { id: string; organization_id: string },
  run_at: string,
  not_before_seconds: number,
): Promise<void> {
  const key = `${task}:${id}`
  await db`
    select from graphile_worker.add_job(
      ${task}::text,
      ${db.json({ lane_id: id })}::json,
      run_at := least(
        greatest(${run_at}::timestamptz, now() + ${not_before_seconds} * interval '1 second'),
        (select run_at from queue.waiting_jobs where key = ${key}::text)
      ),
      job_key := ${key}::text,
      flags := ${[...flagsOf(task, organization_id), LANE_FLAG + organization_id]}::text[]
    )
  `
}

/** Unlocks the jobs of workers that died, so that others run them at once instead of after four hours. */
export const unlockWorkers = (db: Queryable, pool_ids: string[]) => db`select from queue.unlock_pools(${pool_ids}::text[])`

/**
 * Unlocks jobs that are locked for a worker that is gone, as one is that took a job after it was declared dead.
 *
 * @returns the pools that they were locked for
 */
export async function unlockAbandoned(db: Queryable): Promise<string[]> {
  // A worker that has just started takes jobs a moment before it registers its pool.
  const [{ pools }] = await db<[{ pools: string[] }]>`
    select array(
      select distinct locked_by
      from queue.jobs
      where locked_at < now() - interval '1 minute'
        and not exists (select from workers where pool_id = locked_by)
    ) as pools
  `
  if (pools.length > 0) await unlockWorkers(db, pools)
  return pools
}

/** Puts the attempts on record that workers had begun and could not finish: they are known until the workers are deleted. */
export async function recordLostRuns(db: Queryable, worker_ids: string[]): Promise<void> {
  await db`
    insert into ops.job_runs (
      organization_id, job_id, task, attempt, outcome, error_class, wait_ms, run_ms, worker_id, started_at, finished_at
    )
    select
      (select substr(flag, 5)::uuid from jsonb_object_keys(job.flags) as flag where flag like 'org:%' limit 1),
      job.id, job.task_identifier, job.attempts,
      case when job.attempts < job.max_attempts then 'retrying' else 'failed' end, 'worker_ended',
      least(extract(epoch from greatest(job.locked_at - job.run_at, '0')) * 1000, 2147483647),
      least(extract(epoch from now() - job.locked_at) * 1000, 2147483647),
      worker.id, job.locked_at, now()
    from workers as worker
    join graphile_worker.jobs as job on job.locked_by = worker.pool_id
    where worker.id = any(${worker_ids}::uuid[])
  `
}

/** A gauge with its values at one moment, each under its labels. */
export interface Sample {
  name: string
  help: string
  values: [labels: Record<string, string>, value: number][]
}

/** What is in the queue, by task and state; tasks that ever had a job are shown with zeros. Reads every job once. */
export async function queueFigures(db: Queryable): Promise<Sample[]> {
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
    {
      name: 'signalbox_queue_jobs',
      help: 'Jobs of the queue, by task and state: ready (due), running, scheduled, retrying, failed (given up).',
      values: rows.map(({ task, state, jobs }) => [{ task, state }, jobs]),
    },
    {
      name: 'signalbox_queue_oldest_ready_seconds',
      help: 'For how long the oldest job that is ready has been due.',
      values: rows.filter(({ state }) => state === 'ready').map(({ task, seconds }) => [{ task }, seconds]),
    },
  ]
}
