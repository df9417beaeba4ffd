-- A sample of about 256 pages (2 MB): all of the queue while that is small, and no more of it when it is large.
create view ops.job_counts as
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

comment on view ops.job_counts is 'How many jobs of the queue wait, by task and tenant. Exact while the queue is small (about 10,000 jobs), and an estimate from a sample beyond, so that reading it always costs the same. A few jobs among a million may be missed; ops.backlog names everybody for whom something waits.';
comment on column ops.job_counts.task is 'What kind of work it is.';
comment on column ops.job_counts.tenant is 'The flag of the tenant, org:<id>; empty for work on behalf of all, or of one user.';
comment on column ops.job_counts.ready is 'How many are due now.';
comment on column ops.job_counts.retrying is 'How many failed before, and are due later.';
comment on column ops.job_counts.scheduled is 'How many are due later for the first time.';
comment on column ops.job_counts.estimated is 'Whether the numbers are estimates.';
