create view ops.outbox_lag as
  select
    outbox.organization_id,
    organization.slug                                                as organization,
    count(*)                                                         as waiting,
    min(outbox.created_at)                                           as oldest_at,
    round(extract(epoch from now() - min(outbox.created_at)), 1)     as oldest_seconds
  from outbox
  join organizations as organization on organization.id = outbox.organization_id
  where outbox.drained_at is null
    and outbox.failed_at is null
  group by outbox.organization_id, organization.slug
  order by oldest_at;

comment on view ops.outbox_lag is 'Events that were committed and not yet fanned out, by tenant, but for those of ops.broken_events. Empty is healthy: the drain takes milliseconds.';
comment on column ops.outbox_lag.organization_id is 'The tenant.';
comment on column ops.outbox_lag.organization is 'Its slug.';
comment on column ops.outbox_lag.waiting is 'How many of its events wait.';
comment on column ops.outbox_lag.oldest_at is 'When the oldest of them was committed.';
comment on column ops.outbox_lag.oldest_seconds is 'For how long that one has waited. Over 60: is a worker running?';
