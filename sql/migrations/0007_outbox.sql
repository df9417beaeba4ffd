-- One row is an event: something that happened when its transaction committed. The change that it describes writes it, and the
-- drain fans it out, once. It has no foreign key to its workspace and project: an event of a deleted project is still a fact,
-- and each key would be one more lock on every write.
create table outbox (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  workspace_id    uuid,
  project_id      uuid,
  name            text not null,
  data            jsonb not null check (jsonb_typeof(data) = 'object'),
  -- Who caused it, as users are not notified of what they did themselves. Null: the service.
  actor_id        uuid,
  request_id      text,
  -- The W3C `traceparent` of the request; null where it had none and traces are not exported.
  traceparent     text,
  created_at      timestamptz(3) not null default now(),
  drained_at      timestamptz(3),
  -- An event that cannot be fanned out waits by itself and blocks no other. It is tried again at `retry_at` until it succeeds
  -- or an operator discards it: how often it failed, since when, and its last error, with secrets removed.
  attempts        integer not null default 0,
  failed_at       timestamptz(3),
  retry_at        timestamptz(3),
  error           text,
  primary key (id, organization_id)
);

-- The drain: tenant by tenant, each in the order of its events. It contains what waits, so it is as small as the backlog.
create index outbox_waiting on outbox (organization_id, id) where drained_at is null;

-- "Which events could not be fanned out?", over all tenants, however many wait beside them.
create index outbox_broken on outbox (failed_at) where drained_at is null and failed_at is not null;

-- The tenants with an event that is due and older than `age`, with the first of each, longest waiting first. A loose index scan:
-- it jumps from one tenant to the next, so that its cost depends on the number of tenants, not of events.
create function waiting_tenants(age interval default '0') returns table (organization_id uuid, first_id uuid)
  language sql stable
  as $$
    with recursive tenants (id) as (
      (
        select outbox.organization_id
        from outbox
        where drained_at is null
        order by outbox.organization_id
        limit 1
      )
      union all
      select (
        select outbox.organization_id
        from outbox
        where drained_at is null
          and outbox.organization_id > tenants.id
        order by outbox.organization_id
        limit 1
      )
      from tenants
      where tenants.id is not null
    )
    select tenants.id, due.id
    from tenants
    cross join lateral (
      select outbox.id
      from outbox
      where outbox.organization_id = tenants.id
        and drained_at is null
        and created_at <= now() - age
        and (retry_at is null or retry_at <= now())
      order by outbox.id
      limit 1
    ) as due
    -- A deleted organization gets no more events.
    where (select deleted_at is null from organizations where organizations.id = tenants.id)
    order by due.id
  $$;
