create view ops.workers_detail as
  select
    worker.id, worker.hostname, worker.pid, worker.started_at, worker.seen_at,
    process_status(worker.seen_at)                                               as status,
    jobs.count                                                                   as jobs,
    (select count(*) from lanes where owner_id = worker.id and kind = 'hook')    as hooks,
    (select count(*) from lanes where owner_id = worker.id and kind = 'channel') as channels,
    worker.pool_id,
    case when process_status(worker.seen_at) = 'dead' then 'select * from ops.unlock_dead_workers();' end as unlock_sql
  from workers as worker
  cross join lateral (
    select count(*)
    from queue.jobs
    where locked_at is not null
      and locked_by = worker.pool_id
  ) as jobs
  order by worker.started_at;

comment on view ops.workers_detail is 'Worker processes. If none is online, nothing is drained or dispatched. A live worker takes over from a dead one within a minute, which then leaves this view.';
comment on column ops.workers_detail.id is 'The worker; owner_id of the lanes that it serves.';
comment on column ops.workers_detail.hostname is 'The host that it runs on.';
comment on column ops.workers_detail.pid is 'Its process there.';
comment on column ops.workers_detail.started_at is 'When it started.';
comment on column ops.workers_detail.seen_at is 'Its last heartbeat; one is due every 5 seconds.';
comment on column ops.workers_detail.status is 'online (a heartbeat within 15 s), stale (sends no requests any more), dead (none for 35 s: other workers take over).';
comment on column ops.workers_detail.jobs is 'Jobs that it runs now.';
comment on column ops.workers_detail.hooks is 'Hooks that it serves now.';
comment on column ops.workers_detail.channels is 'Channels that it serves now.';
comment on column ops.workers_detail.pool_id is 'The name under which it locks its jobs.';
comment on column ops.workers_detail.unlock_sql is 'Paste this to unlock what a dead worker holds, without waiting.';
