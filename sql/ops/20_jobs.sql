create view ops.jobs as
  select
    job.id,
    job.task_identifier                                                          as task,
    (select substr(flag, 5) from jsonb_object_keys(coalesce(job.flags, '{}')) as flag where flag like 'org:%' limit 1) as organization_id,
    case
      when job.locked_at is not null then 'running'
      when job.attempts >= job.max_attempts then 'failed'
      when job.run_at > now() and job.attempts > 0 then 'retrying'
      when job.run_at > now() then 'scheduled'
      else 'ready'
    end                                                                          as state,
    job.key,
    job.run_at,
    job.attempts,
    job.max_attempts,
    job.locked_at,
    worker.hostname || ' ' || worker.pid                                         as locked_by,
    split_part(job.last_error, E'\n', 1)                                         as error,
    case
      when job.locked_at is null and job.attempts > 0
        then format('select id from graphile_worker.reschedule_jobs(array[%s]::bigint[], run_at := now(), attempts := 0);', job.id)
    end                                                                          as retry_sql
  from graphile_worker.jobs as job
  left join workers as worker on worker.pool_id = job.locked_by
  order by job.run_at;

comment on view ops.jobs is 'Jobs of the queue: what wakes the drain, the lanes of the hooks, and the mail. A waiting dispatch is a row of dispatches; its lane has one job here, at the moment when the first is due.';
comment on column ops.jobs.id is 'Number of the job.';
comment on column ops.jobs.task is 'What kind of work it is.';
comment on column ops.jobs.organization_id is 'The one tenant that it works for; null for work on behalf of all.';
comment on column ops.jobs.state is 'running, ready (due now), scheduled (due later), retrying (failed before), failed (given up).';
comment on column ops.jobs.key is 'Jobs of one key are one: dispatch_hook:<hook id>.';
comment on column ops.jobs.run_at is 'When it is due.';
comment on column ops.jobs.attempts is 'How often it was begun.';
comment on column ops.jobs.max_attempts is 'How often it may be.';
comment on column ops.jobs.locked_at is 'Since when it runs.';
comment on column ops.jobs.locked_by is 'Host and pid of the worker that runs it.';
comment on column ops.jobs.error is 'First line of its last error.';
comment on column ops.jobs.retry_sql is 'Paste this to run it now.';
