-- Contract: 0.4.0
-- One row is an event that is not fanned out yet: the queue of the drain, apart from the history in `outbox`, whose rows never change.
-- An event that cannot be fanned out waits by itself and blocks no other: how often it failed, since when, and its last error, with
-- secrets removed. It is tried again at `retry_at` until it succeeds or an operator discards it. Small and hot: it is vacuumed early.
create table waiting_events (
  id              uuid not null,
  organization_id uuid not null,
  -- When its change began.
  created_at      timestamptz(3) not null default now(),
  attempts        integer not null default 0,
  failed_at       timestamptz(3),
  retry_at        timestamptz(3),
  error           text,
  -- Tenant by tenant, each in the order of its events.
  primary key (organization_id, id)
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05);

insert into waiting_events (id, organization_id, created_at, attempts, failed_at, retry_at, error)
select id, organization_id, created_at, attempts, failed_at, retry_at, error from outbox where drained_at is null;

-- "Which events could not be fanned out?", over all tenants, however many wait alongside them.
create index waiting_events_broken on waiting_events (failed_at) where failed_at is not null;

drop index outbox_waiting, outbox_broken;

create function outbox_inserted() returns trigger
  language plpgsql
  as $$
    declare
      tenant record;
    begin
      -- Without the transition table, as in 0037.
      for tenant in
        select organization_id as id, array_agg(id) as ids, array_agg(created_at) as moments from inserted group by 1
      loop
        insert into waiting_events (id, organization_id, created_at)
        select event.id, tenant.id, event.created_at from unnest(tenant.ids, tenant.moments) as event (id, created_at);
      end loop;
      return null;
    end
  $$;

create function outbox_deleted() returns trigger
  language plpgsql
  as $$
    declare
      tenant record;
    begin
      for tenant in select organization_id as id, array_agg(id) as ids from gone group by 1 loop
        delete from waiting_events where id = any(tenant.ids) and organization_id = tenant.id;
      end loop;
      return null;
    end
  $$;

create trigger outbox_inserted after insert on outbox
  referencing new table as inserted
  for each statement execute function outbox_inserted();

create trigger outbox_deleted after delete on outbox
  referencing old table as gone
  for each statement execute function outbox_deleted();

create or replace function waiting_tenants(age interval default '0') returns table (organization_id uuid, first_id uuid)
  language sql stable
  as $$
    with recursive tenants (id) as (
      (select waiting.organization_id from waiting_events as waiting order by waiting.organization_id limit 1)
      union all
      select (
        select waiting.organization_id
        from waiting_events as waiting
        where waiting.organization_id > tenants.id
        order by waiting.organization_id
        limit 1
      )
      from tenants
      where tenants.id is not null
    )
    select tenants.id, due.id
    from tenants
    cross join lateral (
      select waiting.id
      from waiting_events as waiting
      where waiting.organization_id = tenants.id
        and waiting.created_at <= now() - age
        and (retry_at is null or retry_at <= now())
      order by waiting.id
      limit 1
    ) as due
    -- A deleted organization gets no more events.
    where (select deleted_at is null from organizations where organizations.id = tenants.id)
    order by due.id
  $$;

alter table outbox drop column drained_at, drop column attempts, drop column failed_at, drop column retry_at, drop column error;
