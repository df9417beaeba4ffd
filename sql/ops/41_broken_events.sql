create view ops.broken_events as
  select
    event.id,
    event.organization_id,
    organization.slug                                                            as organization,
    event.name                                                                   as event,
    event.created_at,
    event.failed_at,
    event.attempts,
    event.error,
    event.retry_at,
    format('select * from ops.retry(array[%L]);', event.id)                      as retry_sql,
    format('select * from ops.discard(array[%L], %L);', event.id, 'it cannot be told') as discard_sql
  from outbox as event
  join organizations as organization on organization.id = event.organization_id
  where event.drained_at is null
    and event.failed_at is not null
  order by event.failed_at;

comment on view ops.broken_events is 'Events that could not be fanned out. They hold up no others, and are tried again by themselves, at last every hour. Empty is healthy.';
comment on column ops.broken_events.id is 'The event; the log of the worker names it with the whole error.';
comment on column ops.broken_events.organization_id is 'The tenant.';
comment on column ops.broken_events.organization is 'Its slug.';
comment on column ops.broken_events.event is 'Name of the event.';
comment on column ops.broken_events.created_at is 'When it was committed.';
comment on column ops.broken_events.failed_at is 'When it failed for the first time.';
comment on column ops.broken_events.attempts is 'How often it has failed.';
comment on column ops.broken_events.error is 'The kind of the last error: a code of PostgreSQL, or the name of an error.';
comment on column ops.broken_events.retry_at is 'When it is tried again.';
comment on column ops.broken_events.retry_sql is 'Paste this to try it now.';
comment on column ops.broken_events.discard_sql is 'Paste this to let it go: nobody will be told.';
