create view ops.workers_detail as
  select
    worker.id,
    worker.hostname,
    worker.pid,
    worker.started_at,
    worker.seen_at,
    state.status,
    jobs.count                                                                   as jobs,
    (select count(*) from lanes where owner_id = worker.id and kind = 'hook')    as lanes,
    (select count(*) from lanes where owner_id = worker.id and kind = 'channel') as channels,
    worker.pool_id,
    case when state.status = 'dead' then 'select * from ops.unlock_dead_workers();' end as unlock_sql
  from workers as worker
  cross join lateral (
    select
      case
        when worker.seen_at > now() - interval '15 seconds' then 'online'
        when worker.seen_at > now() - interval '35 seconds' then 'stale'
        else 'dead'
      end as status
  ) as state
  cross join lateral (
    select count(*)
    from queue.jobs
    where locked_at is not null
      and locked_by = worker.pool_id
  ) as jobs
  order by worker.started_at;

comment on view ops.workers_detail is 'Worker processes. None online: nothing is drained or dispatched. A dead one is taken over by a live one within a minute, and leaves this view.';
comment on column ops.workers_detail.id is 'The worker; owner_id of the lanes that it serves.';
comment on column ops.workers_detail.hostname is 'Where it runs.';
comment on column ops.workers_detail.pid is 'Its process there.';
comment on column ops.workers_detail.started_at is 'Since when.';
comment on column ops.workers_detail.seen_at is 'Its last heartbeat; one is due every 5 seconds.';
comment on column ops.workers_detail.status is 'online (a beat within 15 s), stale (sends nothing more), dead (over 35 s: others take over).';
comment on column ops.workers_detail.jobs is 'Jobs that it runs at this moment.';
comment on column ops.workers_detail.lanes is 'Hooks that it serves at this moment.';
comment on column ops.workers_detail.channels is 'Channels that it serves at this moment.';
comment on column ops.workers_detail.pool_id is 'Under which it locks its jobs.';
comment on column ops.workers_detail.unlock_sql is 'Paste this to free at once what a dead worker holds.';
