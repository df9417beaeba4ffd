create view ops.outbox_lag_detail as
  select
    organization_id,
    organization,
    due                                                                          as waiting,
    oldest_due_at                                                                as oldest_at,
    oldest_due_seconds                                                           as oldest_seconds,
    held_by
  from ops.backlog_detail
  where kind = 'event'
    and due > 0
  order by oldest_due_at;

comment on view ops.outbox_lag_detail is 'Events that were committed and are not fanned out yet, by tenant, without those in ops.broken_events. Should be empty: the drain takes milliseconds.';
comment on column ops.outbox_lag_detail.organization_id is 'The tenant.';
comment on column ops.outbox_lag_detail.organization is 'The slug of the tenant.';
comment on column ops.outbox_lag_detail.waiting is 'Events of the tenant that wait, counted as in ops.backlog.';
comment on column ops.outbox_lag_detail.oldest_at is 'When the oldest of them was committed.';
comment on column ops.outbox_lag_detail.oldest_seconds is 'How long that one has waited. If over 60: is a worker running?';
comment on column ops.outbox_lag_detail.held_by is 'Why they are held back on purpose: the flag of a pause, or a deleted organization. After a pause they are fanned out in their order.';
