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

comment on view ops.outbox_lag_detail is 'Events that were committed and not yet fanned out, by tenant, but for those of ops.broken_events. Empty is healthy: the drain takes milliseconds.';
comment on column ops.outbox_lag_detail.organization_id is 'The tenant.';
comment on column ops.outbox_lag_detail.organization is 'Its slug.';
comment on column ops.outbox_lag_detail.waiting is 'How many of its events wait; counted as far as in ops.backlog.';
comment on column ops.outbox_lag_detail.oldest_at is 'When the oldest of them was committed.';
comment on column ops.outbox_lag_detail.oldest_seconds is 'For how long that one has waited. Over 60: is a worker running?';
comment on column ops.outbox_lag_detail.held_by is 'Why they are meant to wait: the flag of a pause, or a deleted organization. They are told in their order afterwards.';
