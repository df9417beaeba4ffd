-- The boundary to graphile_worker: the one file that names its private tables (`_private_*`), whose columns may change with
-- any of its versions. `core` and `ops` read these views and call these functions; beside them they use its public functions
-- and its view `jobs` alone. The release drops views and indexes before it runs migrations of graphile_worker, and makes them
-- anew afterwards.

create schema if not exists queue;

-- Indexes of ours on its jobs; its own serve nothing but taking the next one. All of them are partial: nothing of a job that
-- runs or has failed is in the large ones, and nothing of one that waits in the small ones. `if not exists` would lock the
-- table before it looks.
do $$
  begin
    -- What waits, by kind of work.
    if to_regclass('graphile_worker.ops_jobs_task') is null then
      create index ops_jobs_task on graphile_worker._private_jobs (task_id, run_at)
        where locked_at is null and attempts < max_attempts;
    end if;

    -- What waits, by tenant, as `queue.jobs` shows it.
    if to_regclass('graphile_worker.ops_jobs_tenant') is null then
      create index ops_jobs_tenant on graphile_worker._private_jobs (
        (coalesce(jsonb_path_query_first(flags, '$.keyvalue() ? (@.key starts with "org:").key') #>> '{}', '')), task_id, run_at
      ) where locked_at is null and attempts < max_attempts;
    end if;

    -- What runs, or is held by a worker that died.
    if to_regclass('graphile_worker.ops_jobs_locked') is null then
      create index ops_jobs_locked on graphile_worker._private_jobs (locked_at) where locked_at is not null;
    end if;

    -- What was given up.
    if to_regclass('graphile_worker.ops_jobs_failed') is null then
      create index ops_jobs_failed on graphile_worker._private_jobs (id) where locked_at is null and attempts >= max_attempts;
    end if;
  end
$$;

create view queue.tasks as
  select id, identifier as task from graphile_worker._private_tasks;

-- Every job. Both joins are left joins, so that a query that reads no column of theirs does without them. `tenant` is the flag
-- of the job's tenant, org:<id>, and empty where it has none; text, so that no job is refused for what its flags say.
create view queue.jobs as
  select
    job.id,
    job.task_id,
    task.identifier as task,
    coalesce(jsonb_path_query_first(job.flags, '$.keyvalue() ? (@.key starts with "org:").key') #>> '{}', '') as tenant,
    job.key,
    job.run_at,
    job.attempts,
    job.max_attempts,
    job.last_error,
    job.updated_at,
    job.locked_at,
    job.locked_by,
    case
      when job.locked_at is not null then 'running'
      when job.attempts >= job.max_attempts then 'failed'
      when job.run_at <= now() then 'ready'
      when job.attempts > 0 then 'retrying'
      else 'scheduled'
    end as state,
    -- Another job of its queue runs, and it is run after that.
    coalesce(not job_queue.is_available, false) as in_turn
  from graphile_worker._private_jobs as job
  left join graphile_worker._private_tasks as task on task.id = job.task_id
  left join graphile_worker._private_job_queues as job_queue on job_queue.id = job.job_queue_id;

-- Jobs that are ready, retrying or scheduled, in the words of the indexes.
create view queue.waiting_jobs as
  select * from queue.jobs where locked_at is null and attempts < max_attempts;

-- Jobs that were given up, likewise.
create view queue.failed_jobs as
  select * from queue.jobs where locked_at is null and attempts >= max_attempts;

-- How many jobs wait, by task and tenant, from a sample of about 256 pages (2 MB): all of the queue while that is small, and
-- no more of it when it is large.
create view queue.job_counts as
  with
    pages as (
      select greatest(256, pg_relation_size('graphile_worker._private_jobs') / current_setting('block_size')::bigint) as count
    ),
    -- Grouped by the flags as they are first: to look for the tenant in each job would be most of the time.
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
        coalesce(jsonb_path_query_first(flags, '$.keyvalue() ? (@.key starts with "org:").key') #>> '{}', '') as tenant,
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

-- Unlocks the jobs of pools of graphile_worker, which then run again.
create or replace function queue.unlock_pools(pools text[]) returns void
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    -- What was to be run anew while it ran is in another job since, and this one would seem to have failed for good.
    delete from graphile_worker._private_jobs as job
    using graphile_worker._private_tasks as task
    where job.locked_by = any(pools)
      and job.key is null
      and job.attempts >= job.max_attempts
      and task.id = job.task_id
      and task.identifier in ('dispatch_hook', 'deliver_channel', 'drain_outbox');
    -- Who runs one may live on, and graphile_worker deletes what has run by its number. Whoever is woken from here on gets
    -- another job for that: this one, found by its key, would be deleted with the wake.
    update graphile_worker._private_jobs set key = null where locked_by = any(pools) and key is not null;
    select graphile_worker.force_unlock_workers(pools);
  $$;

revoke execute on all functions in schema queue from public;

comment on schema queue is 'What Signalbox reads of the private tables of graphile_worker; for ops there are the views of schema ops.';
