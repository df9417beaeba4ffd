-- With sql/citus/views.ts, the only file that names the private tables of graphile_worker (`_private_*`), whose columns may
-- change with any version. Everything else uses these views and functions, and the public functions and the view `jobs` of
-- graphile_worker. A release drops the views, indexes and triggers before it migrates graphile_worker, and creates them again
-- afterwards.

create schema if not exists queue;

-- The flag of a job's tenant, org:<id>; empty for a job that has none. Text, so that no flag is refused for what it says.
create or replace function queue.tenant_flag(flags jsonb) returns text
  language sql immutable parallel safe
  as $$
    select coalesce(jsonb_path_query_first(flags, '$.keyvalue() ? (@.key starts with "org:").key') #>> '{}', '')
  $$;

-- Our indexes on its jobs; its own only serve taking the next job. All are partial: the large ones contain waiting jobs only, the
-- small ones running or failed jobs only. `create index if not exists` would lock the table before it checks.
do $$
  begin
    -- Waiting jobs by task.
    if to_regclass('graphile_worker.ops_jobs_task') is null then
      create index ops_jobs_task on graphile_worker._private_jobs (task_id, run_at)
        where locked_at is null and attempts < max_attempts;
    end if;

    -- Waiting jobs by tenant.
    if to_regclass('graphile_worker.ops_jobs_tenant') is null then
      create index ops_jobs_tenant on graphile_worker._private_jobs (
        queue.tenant_flag(flags), task_id, run_at
      ) where locked_at is null and attempts < max_attempts;
    end if;

    -- Jobs that run, or are locked by a dead worker.
    if to_regclass('graphile_worker.ops_jobs_locked') is null then
      create index ops_jobs_locked on graphile_worker._private_jobs (locked_at) where locked_at is not null;
    end if;

    -- Jobs that failed permanently.
    if to_regclass('graphile_worker.ops_jobs_failed') is null then
      create index ops_jobs_failed on graphile_worker._private_jobs (id) where locked_at is null and attempts >= max_attempts;
    end if;
  end
$$;

-- The jobs of a named queue run one after another. Without this notification, a worker would find the next one at its next poll.
create or replace function queue.announce_next() returns trigger
  language plpgsql
  as $$
    begin
      perform pg_notify('jobs:insert', '{"count":1}');
      return null;
    end
  $$;

do $$
  begin
    if not exists (select from pg_trigger where tgname = 'ops_announce_next') then
      create trigger ops_announce_next after update of locked_at on graphile_worker._private_job_queues
        for each row
        when (old.locked_at is not null and new.locked_at is null)
        execute function queue.announce_next();
    end if;
  end
$$;

create view queue.tasks as
  select id, identifier as task from graphile_worker._private_tasks;

-- Every job. The left joins are skipped in queries that read none of their columns.
create view queue.jobs as
  select
    job.id,
    job.task_id,
    task.identifier as task,
    queue.tenant_flag(job.flags) as tenant,
    job.key, job.run_at, job.attempts, job.max_attempts, job.last_error, job.updated_at, job.locked_at, job.locked_by,
    case
      when job.locked_at is not null then 'running'
      when job.attempts >= job.max_attempts then 'failed'
      when job.run_at <= now() then 'ready'
      when job.attempts > 0 then 'retrying'
      else 'scheduled'
    end as state,
    -- It waits behind a running job of its named queue.
    coalesce(not job_queue.is_available, false) as waits_for_queue
  from graphile_worker._private_jobs as job
  left join graphile_worker._private_tasks as task on task.id = job.task_id
  left join graphile_worker._private_job_queues as job_queue on job_queue.id = job.job_queue_id;

-- Jobs that are ready, retrying or scheduled, with the condition of the indexes.
create view queue.waiting_jobs as
  select * from queue.jobs where locked_at is null and attempts < max_attempts;

-- Jobs that failed permanently, with the condition of the index.
create view queue.failed_jobs as
  select * from queue.jobs where locked_at is null and attempts >= max_attempts;

-- Waiting jobs by task and tenant, from a sample of about 256 pages (2 MB), which is the whole queue while it is small.
create view queue.job_counts as
  with
    pages as (
      select greatest(256, pg_relation_size('graphile_worker._private_jobs') / current_setting('block_size')::bigint) as count
    ),
    -- First grouped by the unparsed flags: extracting the tenant of every job would take most of the time.
    sampled as (
      select
        task_id,
        flags,
        count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())                  as ready,
        count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now() and attempts > 0)  as retrying,
        count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now() and attempts = 0)  as scheduled
      from graphile_worker._private_jobs tablesample system ((select 100 * 256.0 / count from pages))
      group by task_id, flags
    ),
    tenants as (
      select
        task_id,
        queue.tenant_flag(flags) as tenant,
        sum(ready) as ready,
        sum(retrying) as retrying,
        sum(scheduled) as scheduled
      from sampled
      group by 1, 2
    )
  select
    task.identifier                                as task,
    tenants.tenant,
    round(tenants.ready * pages.count / 256)       as ready,
    round(tenants.retrying * pages.count / 256)    as retrying,
    round(tenants.scheduled * pages.count / 256)   as scheduled,
    pages.count > 256                              as estimated
  from pages
  cross join tenants
  join graphile_worker._private_tasks as task on task.id = tenants.task_id;

create view queue.crons as
  select identifier as task, known_since, last_execution from graphile_worker._private_known_crontabs;

-- Unlocks the jobs that worker pools of graphile_worker have locked, so that they run again.
create or replace function queue.unlock_pools(pools text[]) returns void
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    -- A job that was added again under its key while it ran is replaced by a new job, and would count as failed permanently.
    delete from graphile_worker._private_jobs as job
    using graphile_worker._private_tasks as task
    where job.locked_by = any(pools)
      and job.key is null
      and job.attempts >= job.max_attempts
      and task.id = job.task_id
      and task.identifier in ('dispatch_hook', 'deliver_channel', 'drain_outbox');
    -- The worker may still be alive and delete the job when it ends. Without its key, the job does not absorb a wake that comes
    -- later: that gets a new job, which is not deleted with this one.
    update graphile_worker._private_jobs set key = null where locked_by = any(pools) and key is not null;
    select graphile_worker.force_unlock_workers(pools);
  $$;

revoke execute on all functions in schema queue from public;

comment on schema queue is 'What Signalbox reads from the private tables of graphile_worker. Operators use the views of schema ops.';
