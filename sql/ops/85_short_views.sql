-- What `table ops.<view>` prints fits 120 columns: of each ops.<view>_detail the columns that tell what is wrong, cut.
-- Columns have the names and comments of the detailed view.

create view ops.health as
  select "check", status, value, ops.wrapped(detail, 32) as detail, ops.wrapped(hint, 37) as hint from ops.health_detail;

create view ops.workers as
  select ops.cut(hostname, 19) as hostname, pid, status, date_trunc('second', seen_at) as seen_at, jobs, unlock_sql
  from ops.workers_detail;

create view ops.queue_stats as
  select kind, task, ready, running, retrying, scheduled, failed, oldest_ready_seconds, paused from ops.queue_stats_detail;

create view ops.backlog as
  select
    kind, task, ops.cut(organization, 14) as organization, ops.cut(lane, 14) as lane, due, oldest_due_seconds,
    ops.cut(held_by, 20) as held_by
  from ops.backlog_detail;

create view ops.jobs as
  select
    ops.short_id(kind, id) as id, kind, task, state,
    case when retry_sql is not null then format('select ops.retry(%L);', ops.short_id(kind, id)) end as retry_sql,
    case when discard_sql is not null then format('select ops.discard(%L);', ops.short_id(kind, id)) end as discard_sql
  from ops.jobs_detail;

create view ops.failed_jobs as
  select
    ops.short_id(kind, id) as id, kind, ops.cut(organization, 12) as organization, ops.cut(error, 18) as error,
    format('select ops.retry(%L);', ops.short_id(kind, id)) as retry_sql,
    format('select ops.discard(%L);', ops.short_id(kind, id)) as discard_sql
  from ops.failed_jobs_detail;

create view ops.stuck_jobs as
  select id, task, why, unlock_sql from ops.stuck_jobs_detail;

create view ops.stranded as
  select kind, ops.cut(name, 20) as name, ops.cut(organization, 14) as organization, due_seconds, why, wake_sql
  from ops.stranded_detail;

create view ops.tenant_load as
  select
    ops.cut(organization, 24) as organization, jobs_ready, events, dispatches_due, messages_due, failed, oldest_due_seconds, paused
  from ops.tenant_load_detail;

create view ops.outbox_lag as
  select ops.cut(organization, 24) as organization, waiting, oldest_seconds, held_by from ops.outbox_lag_detail;

create view ops.broken_events as
  select
    ops.short_id('event', id::text) as id, ops.cut(organization, 12) as organization, ops.cut(error, 29) as error,
    format('select ops.retry(%L);', ops.short_id('event', id::text)) as retry_sql,
    format('select ops.discard(%L);', ops.short_id('event', id::text)) as discard_sql
  from ops.broken_events_detail;

create view ops.hook_health as
  select
    ops.cut(organization, 12) as organization, ops.cut(hook, 14) as hook, ops.cut(address, 28) as address, enabled, pending,
    failed_24h, ops.cut(last_error, 20) as last_error
  from ops.hook_health_detail;

create view ops.channel_health as
  select
    ops.cut(organization, 12) as organization, ops.cut(channel, 14) as channel, channel_type, enabled, pending, failed_24h,
    failures, ops.cut(last_error, 20) as last_error
  from ops.channel_health_detail;

create view ops.task_stats as
  select task, span, runs, failed, error_percent, ops.cut(most_frequent_error, 19) as most_frequent_error, run_ms_p95
  from ops.task_stats_detail;

create view ops.paused as
  select
    flag, ops.cut(organization, 14) as organization, ops.cut(reason, 27) as reason, date_trunc('second', until) as until
  from ops.paused_detail;

create view ops.action_log as
  select
    date_trunc('second', at) as at, ops.cut(actor, 14) as actor, action, ops.cut(array_to_string(targets, ' '), 18) as targets,
    affected, ops.cut(reason, 18) as reason
  from ops.action_log_detail;

comment on column ops.jobs.id is 'As ops.retry and ops.discard take it: the number of a job; else the first letter of its kind and the end of its id. ops.jobs_detail has the full id.';
comment on column ops.failed_jobs.id is 'As ops.retry and ops.discard take it; ops.failed_jobs_detail has the full id.';
comment on column ops.broken_events.id is 'As ops.retry and ops.discard take it; ops.broken_events_detail has the full id.';
comment on column ops.action_log.targets is 'What it was done to: ids, or flags. Cut; ops.action_log_detail has them as an array.';

do $$
  declare
    place record;
  begin
    for place in
      select short.oid::regclass as short, obj_description(detail.oid, 'pg_class') as said, detail.oid::regclass as detail
      from pg_class as short
      join pg_class as detail on detail.relnamespace = short.relnamespace and detail.relname = short.relname || '_detail'
      where short.relnamespace = 'ops'::regnamespace
    loop
      execute format('comment on view %s is %L', place.short, place.said || ' Cut to 120 columns: ' || place.detail || ' has every column in full.');
    end loop;
    for place in
      select short.attrelid::regclass as short, short.attname as name, col_description(detail.attrelid, detail.attnum) as said
      from pg_class as view
      join pg_attribute as short on short.attrelid = view.oid and short.attnum > 0
      join pg_class as full_view on full_view.relnamespace = view.relnamespace and full_view.relname = view.relname || '_detail'
      join pg_attribute as detail on detail.attrelid = full_view.oid and detail.attname = short.attname
      where view.relnamespace = 'ops'::regnamespace
        and col_description(short.attrelid, short.attnum) is null
    loop
      execute format('comment on column %s.%I is %L', place.short, place.name, place.said);
    end loop;
  end
$$;
