create view ops.stuck_jobs_detail as
  select
    job.id::text                                                                 as id,
    job.task,
    ops.tenant_of(job.tenant)                                                    as organization_id,
    organization.slug                                                            as organization,
    job.locked_at,
    round(extract(epoch from now() - job.locked_at), 1)                          as locked_seconds,
    job.locked_by                                                                as pool_id,
    worker.hostname || ' ' || worker.pid                                         as worker,
    case
      when worker.status is null then 'no worker has it'
      when worker.status = 'dead' then 'its worker is dead'
      else 'it has run for over 30 minutes'
    end                                                                          as why,
    case
      when coalesce(worker.status, 'dead') = 'dead' then 'select * from ops.unlock_dead_workers();'
    end                                                                          as unlock_sql
  from queue.jobs as job
  left join ops.workers_detail as worker on worker.pool_id = job.locked_by
  left join organizations as organization on organization.id = ops.tenant_of(job.tenant)
  where job.locked_at is not null
    and (
      worker.status = 'dead'
      -- A worker that has just started may take jobs a moment before it registers its pool.
      or worker.status is null and job.locked_at < now() - interval '1 minute'
      or job.locked_at < now() - interval '30 minutes'
    )
  order by job.locked_at;

comment on view ops.stuck_jobs_detail is 'Locked jobs that make no progress. Should be empty: live workers take over from dead ones within a minute.';
comment on column ops.stuck_jobs_detail.id is 'The number of the job.';
comment on column ops.stuck_jobs_detail.task is 'The task.';
comment on column ops.stuck_jobs_detail.organization_id is 'The tenant; null for work of the whole service or of one user.';
comment on column ops.stuck_jobs_detail.organization is 'The slug of the tenant.';
comment on column ops.stuck_jobs_detail.locked_at is 'Since when it has been locked.';
comment on column ops.stuck_jobs_detail.locked_seconds is 'How long that is.';
comment on column ops.stuck_jobs_detail.pool_id is 'The worker pool that has locked it, as graphile_worker names it.';
comment on column ops.stuck_jobs_detail.worker is 'Host and pid of that worker; null if it is gone.';
comment on column ops.stuck_jobs_detail.why is 'What is wrong: its worker is dead or gone, or the job runs and does not end. In the last case restart that worker: it returns the job to the queue.';
comment on column ops.stuck_jobs_detail.unlock_sql is 'Paste this to unlock it, so that it runs again; null while a live worker runs it.';
