-- The output of `table ops.<view>` fits in 120 columns: the columns of ops.<view>_detail that show what is wrong, truncated.

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
    ops.cut(organization, 24) as organization, jobs_ready, events, dispatches_due, messages_due, failed, oldest_due_seconds,
    paused
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

create view ops.blocked_promotions as
  select
    ops.cut(organization, 14) as organization, ops.cut(project, 16) as project, ops.cut(environment, 16) as environment,
    ops.cut(obstacle, 60) as obstacle
  from ops.blocked_promotions_detail;

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

comment on column ops.jobs.id is 'As ops.retry and ops.discard take it: the number of a job; otherwise the first letter of its kind and the end of its id. ops.jobs_detail has the full id.';
comment on column ops.failed_jobs.id is 'As ops.retry and ops.discard take it; ops.failed_jobs_detail has the full id.';
comment on column ops.broken_events.id is 'As ops.retry and ops.discard take it; ops.broken_events_detail has the full id.';
comment on column ops.action_log.targets is 'What it was applied to: ids, or flags. Truncated; ops.action_log_detail has them as an array.';

-- Comments that are not written above are those of the view from which a column comes.
do $$
  declare
    pair record;
    missing record;
  begin
    for pair in
      select 'ops.hook_health_detail'::regclass as view, 'ops.lane_state_detail'::regclass as source
      union all
      select 'ops.channel_health_detail', 'ops.lane_state_detail'
      union all
      select * from (
        select short.oid::regclass, detail.oid::regclass
        from pg_class as short
        join pg_class as detail on detail.relnamespace = short.relnamespace and detail.relname = short.relname || '_detail'
        where short.relnamespace = 'ops'::regnamespace
        order by short.relname
      ) as short_view
    loop
      if obj_description(pair.view, 'pg_class') is null then
        execute format(
          'comment on view %s is %L', pair.view,
          obj_description(pair.source, 'pg_class') || ' Fits in 120 columns; ' || pair.source || ' has every column in full.'
        );
      end if;
      for missing in
        select column_of.attname as name, col_description(source.attrelid, source.attnum) as text
        from pg_attribute as column_of
        join pg_attribute as source on source.attrelid = pair.source and source.attname = column_of.attname
        where column_of.attrelid = pair.view
          and column_of.attnum > 0
          and col_description(column_of.attrelid, column_of.attnum) is null
      loop
        execute format('comment on column %s.%I is %L', pair.view, missing.name, missing.text);
      end loop;
    end loop;
  end
$$;
