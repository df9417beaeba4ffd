create view ops.sweeps as
  select
    sweep.name                                                                as sweep,
    sweep.every_seconds,
    date_trunc('second', sweep.succeeded_at)                                  as last_success_at,
    round(extract(epoch from now() - sweep.succeeded_at))                     as seconds_since,
    date_trunc('second', sweep.failed_at)                                     as last_failure_at,
    -- Without a worker nothing sweeps, which is a check of its own.
    coalesce(sweep.succeeded_at < now() - greatest(interval '1 minute', 3 * sweep.every_seconds * interval '1 second'), true)
      and exists (
        select from workers where process_status(seen_at) = 'online' and started_at < now() - interval '1 minute'
      )                                                                       as overdue
  from ops.sweep_runs as sweep
  order by sweep.name;

comment on view ops.sweeps is 'Work that workers repeat: what no event triggers, and what a lost notification or a killed process left behind. One worker at a time runs each. Empty until a worker has run.';
comment on column ops.sweeps.sweep is 'Its name, as in worker/sweeps.ts and the log.';
comment on column ops.sweeps.every_seconds is 'How often it runs.';
comment on column ops.sweeps.last_success_at is 'When it last succeeded, to within 10 seconds; null if never.';
comment on column ops.sweeps.seconds_since is 'How long ago that was.';
comment on column ops.sweeps.last_failure_at is 'When it last failed; null if never. The log of the workers has the error.';
comment on column ops.sweeps.overdue is 'Whether it should have succeeded by now, although a worker is online.';
