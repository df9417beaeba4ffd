create view ops.task_stats_detail as
  select
    run.task,
    span.name                                                                    as span,
    count(*)                                                                     as runs,
    count(*) filter (where run.outcome = 'succeeded')                            as succeeded,
    count(*) filter (where run.outcome = 'retrying')                             as retrying,
    count(*) filter (where run.outcome = 'failed')                               as failed,
    round(100.0 * count(*) filter (where run.outcome <> 'succeeded') / count(*), 1) as error_percent,
    count(distinct run.organization_id)                                          as tenants,
    mode() within group (order by run.organization_id)                           as busiest_tenant,
    mode() within group (order by run.error_class)                               as most_frequent_error,
    round(percentile_cont(0.5) within group (order by run.run_ms))               as run_ms_p50,
    round(percentile_cont(0.95) within group (order by run.run_ms))              as run_ms_p95,
    round(percentile_cont(0.95) within group (order by run.wait_ms))             as wait_ms_p95,
    max(run.finished_at)                                                         as last_at
  from (
    select task, organization_id, outcome, error_class, wait_ms, run_ms, finished_at
    from ops.job_runs
    -- By id, which starts with the time, so that only partitions of that time are read.
    where id >= (lpad(to_hex((extract(epoch from now() - interval '25 hours') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid

    union all
    select
      'dispatch_hook (attempt)', attempt.organization_id,
      case
        when dispatch.status = 'pending' or attempt.number < dispatch.attempt_count then 'retrying'
        when dispatch.status = 'succeeded' then 'succeeded'
        else 'failed'
      end,
      attempt.error ->> 'code',
      case when attempt.number = 1 then greatest(0, extract(epoch from attempt.started_at - dispatch.created_at) * 1000) end,
      attempt.duration_ms,
      attempt.started_at + attempt.duration_ms * interval '1 millisecond'
    from dispatch_attempts as attempt
    join dispatches as dispatch on dispatch.id = attempt.dispatch_id
    where attempt.started_at > now() - interval '24 hours 1 minute'

    union all
    select
      'deliver_channel (attempt)', attempt.organization_id,
      case
        when message.status = 'pending' or attempt.number < message.attempt_count then 'retrying'
        when message.status = 'succeeded' then 'succeeded'
        else 'failed'
      end,
      attempt.error ->> 'code',
      case when attempt.number = 1 then greatest(0, extract(epoch from attempt.started_at - message.created_at) * 1000) end,
      attempt.duration_ms,
      attempt.started_at + attempt.duration_ms * interval '1 millisecond'
    from channel_attempts as attempt
    join channel_messages as message on message.id = attempt.message_id
    where attempt.started_at > now() - interval '24 hours 1 minute'
  ) as run
  join (
    values ('5 minutes', interval '5 minutes'), ('1 hour', interval '1 hour'), ('24 hours', interval '24 hours')
  ) as span (name, length) on run.finished_at > now() - span.length
  group by run.task, span.name, span.length
  order by run.task, span.length;

comment on view ops.task_stats_detail is 'Outcomes and durations of each task in the last five minutes, hour and day: runs of jobs, and requests to hooks and channels. Reads a day of attempts: about a second for each million.';
comment on column ops.task_stats_detail.task is 'The task; with (attempt): requests to hooks or channels, of which one job makes many.';
comment on column ops.task_stats_detail.span is 'The period: 5 minutes, 1 hour or 24 hours.';
comment on column ops.task_stats_detail.runs is 'Runs that ended in the period.';
comment on column ops.task_stats_detail.succeeded is 'Runs that succeeded.';
comment on column ops.task_stats_detail.retrying is 'Runs that failed and are retried.';
comment on column ops.task_stats_detail.failed is 'Runs that failed permanently.';
comment on column ops.task_stats_detail.error_percent is 'Percentage of runs that did not succeed.';
comment on column ops.task_stats_detail.tenants is 'Number of tenants that they belonged to.';
comment on column ops.task_stats_detail.busiest_tenant is 'The organization with the most runs.';
comment on column ops.task_stats_detail.most_frequent_error is 'Class of the most frequent error; null if there was none.';
comment on column ops.task_stats_detail.run_ms_p50 is 'Median duration.';
comment on column ops.task_stats_detail.run_ms_p95 is '95th percentile of the duration.';
comment on column ops.task_stats_detail.wait_ms_p95 is '95th percentile of the time until a run started; without retries of requests.';
comment on column ops.task_stats_detail.last_at is 'When the last run ended.';
