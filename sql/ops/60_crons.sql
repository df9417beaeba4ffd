create view ops.crons as
  select
    cron.task,
    date_trunc('second', cron.known_since)                                       as known_since,
    date_trunc('second', cron.last_execution)                                    as last_run_at,
    round(extract(epoch from now() - cron.last_execution))                       as seconds_since,
    last_run.outcome                                                             as last_outcome,
    coalesce(cron.last_execution, cron.known_since) < now() - interval '25 hours' as overdue
  from queue.crons as cron
  left join lateral (
    select outcome
    from ops.job_runs
    where task = cron.task
    order by finished_at desc
    limit 1
  ) as last_run on true
  order by cron.task;

comment on view ops.crons is 'Scheduled tasks. All of them run at least once a day. Empty until a worker has run.';
comment on column ops.crons.task is 'The task.';
comment on column ops.crons.known_since is 'Since when workers have scheduled it.';
comment on column ops.crons.last_run_at is 'When it was last put into the queue; null if never.';
comment on column ops.crons.seconds_since is 'How long ago that was.';
comment on column ops.crons.last_outcome is 'Outcome of its last run: succeeded, retrying or failed; null if none is recorded.';
comment on column ops.crons.overdue is 'Whether it should have run by now: no worker ran at its time.';
