create view ops.broken_events_detail as
  select
    event.id,
    event.organization_id,
    organization.slug                                                            as organization,
    event.name                                                                   as event,
    event.created_at, waiting.failed_at, waiting.attempts, waiting.error, waiting.retry_at,
    format('select * from ops.retry(array[%L]);', event.id)                      as retry_sql,
    format('select * from ops.discard(array[%L], %L);', event.id, 'cannot be fanned out') as discard_sql
  from waiting_events as waiting
  join outbox as event on event.id = waiting.id and event.organization_id = waiting.organization_id
  join organizations as organization on organization.id = event.organization_id
  where waiting.failed_at is not null
  order by waiting.failed_at;

comment on view ops.broken_events_detail is 'Events that cannot be fanned out. They block no others, and are retried automatically, at least every hour. Should be empty.';
comment on column ops.broken_events_detail.id is 'The event; the log of the worker names it as well.';
comment on column ops.broken_events_detail.organization_id is 'The tenant.';
comment on column ops.broken_events_detail.organization is 'The slug of the tenant.';
comment on column ops.broken_events_detail.event is 'The name of the event.';
comment on column ops.broken_events_detail.created_at is 'When it was committed.';
comment on column ops.broken_events_detail.failed_at is 'When it failed first.';
comment on column ops.broken_events_detail.attempts is 'How many attempts have failed.';
comment on column ops.broken_events_detail.error is 'The last error: an error code of PostgreSQL or the class of an error, and its message without anything that may be a payload, an address or a secret.';
comment on column ops.broken_events_detail.retry_at is 'When it is retried.';
comment on column ops.broken_events_detail.retry_sql is 'Paste this to retry it now.';
comment on column ops.broken_events_detail.discard_sql is 'Paste this to discard it: it is sent to no hook, channel or user.';
