-- The same for messages, which are not counted, and of which a failed one may be tried again.
create function channel_messages_inserted() returns trigger
  language plpgsql
  as $$
    begin
      insert into deliveries (id, organization_id, lane_id, kind, event, is_test)
      select id, organization_id, channel_id, 'message', event, event = 'test.ping'
      from made
      where status = 'pending';

      insert into unsuccessful_deliveries (id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at)
      select id, organization_id, channel_id, 'message', event, status, id, created_at, completed_at
      from made
      where status in ('failed', 'cancelled');
      return null;
    end
  $$;

create function channel_messages_updated() returns trigger
  language plpgsql
  as $$
    begin
      if exists (
        select
        from changed
        where status <> 'pending'
          and (select true from deliveries where id = changed.id and organization_id = changed.organization_id)
      ) then
        raise exception 'A finished message cannot wait: delete its row of deliveries first.' using errcode = 'integrity_constraint_violation';
      end if;

      insert into deliveries (id, organization_id, lane_id, kind, event, attempt_count, is_test)
      select
        changed.id, changed.organization_id, changed.channel_id, 'message', changed.event, changed.attempt_count,
        changed.event = 'test.ping'
      from changed
      join before on before.id = changed.id
      where changed.status = 'pending'
        and before.status <> 'pending';

      delete from unsuccessful_deliveries as entry
      using changed
      where entry.id = changed.id
        and entry.organization_id = changed.organization_id
        and changed.status in ('pending', 'succeeded');

      insert into unsuccessful_deliveries (id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at)
      select id, organization_id, channel_id, 'message', event, status, id, created_at, completed_at
      from changed
      where status in ('failed', 'cancelled')
      on conflict (id, organization_id) do update
      set status = excluded.status, completed_at = excluded.completed_at;
      return null;
    end
  $$;

create function channel_messages_deleted() returns trigger
  language plpgsql
  as $$
    begin
      delete from deliveries using gone where deliveries.id = gone.id and deliveries.organization_id = gone.organization_id;
      delete from unsuccessful_deliveries as entry using gone where entry.id = gone.id and entry.organization_id = gone.organization_id;
      return null;
    end
  $$;

create trigger channel_messages_inserted after insert on channel_messages
  referencing new table as made
  for each statement execute function channel_messages_inserted();
create trigger channel_messages_updated after update on channel_messages
  referencing old table as before new table as changed
  for each statement execute function channel_messages_updated();
create trigger channel_messages_deleted after delete on channel_messages
  referencing old table as gone
  for each statement execute function channel_messages_deleted();

-- A row of the queue belongs to a dispatch or message that is not finished, and is not taken away from one. The triggers above
-- write what is right, and are not checked again.
create function deliveries_inserted() returns trigger
  language plpgsql
  as $$
    declare
      loose uuid;
    begin
      if pg_trigger_depth() > 1 then return null; end if;
      select made.id into loose
      from made
      where
        (
          made.kind = 'dispatch'
          and not exists (
            select
            from dispatches as dispatch
            where dispatch.id = made.id
              and dispatch.organization_id = made.organization_id
              and dispatch.status = 'pending'
          )
        )
        or (
          made.kind = 'message'
          and not exists (
            select
            from channel_messages as message
            where message.id = made.id
              and message.organization_id = made.organization_id
              and message.status = 'pending'
          )
        )
      limit 1;
      if loose is not null then
        raise exception 'No dispatch or message of id % is pending.', loose using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end
  $$;

create function deliveries_deleted() returns trigger
  language plpgsql
  as $$
    declare
      stranded uuid;
    begin
      if pg_trigger_depth() > 1 then return null; end if;
      select gone.id into stranded
      from gone
      where
        (
          gone.kind = 'dispatch'
          and exists (
            select
            from dispatches as dispatch
            where dispatch.id = gone.id
              and dispatch.organization_id = gone.organization_id
              and dispatch.status = 'pending'
          )
        )
        or (
          gone.kind = 'message'
          and exists (
            select
            from channel_messages as message
            where message.id = gone.id
              and message.organization_id = gone.organization_id
              and message.status = 'pending'
          )
        )
      limit 1;
      if stranded is not null then
        raise exception '% is pending, and would wait for ever: finish it in the same statement.', stranded using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end
  $$;

create trigger deliveries_inserted after insert on deliveries
  referencing new table as made
  for each statement execute function deliveries_inserted();
create trigger deliveries_deleted after delete on deliveries
  referencing old table as gone
  for each statement execute function deliveries_deleted();

-- What waits goes with the last subscription that wanted it, whoever deletes that: a person, or the project that it was for.
-- Tests are wanted by whoever asked for them. The drain holds the subscriptions that it found until its commit, so that
-- this sees the messages that it wrote.
create or replace function cancel_unwanted_messages() returns trigger
  language plpgsql
  as $$
    begin
      with unwanted as (
        delete from deliveries as delivery
        using channel_messages as message, channel_events as event
        where delivery.lane_id in (select channel_id from gone)
          and not delivery.is_test
          and message.id = delivery.id
          and message.organization_id = delivery.organization_id
          and event.id = message.event_id
          and event.organization_id = message.organization_id
          and not exists (
            select
            from subscriptions as subscription
            where subscription.channel_id = message.channel_id
              and subscription.organization_id = message.organization_id
              and (subscription.filter_project_id is null or subscription.filter_project_id = event.project_id)
              and (
                subscription.event_pattern in ('*', message.event)
                or subscription.event_pattern like '%.*'
                  and starts_with(message.event, left(subscription.event_pattern, -1))
              )
          )
        returning delivery.id, delivery.organization_id, delivery.attempt_count
      )
      update channel_messages as message
      set status        = 'cancelled',
          attempt_count = unwanted.attempt_count,
          completed_at  = now(),
          error         = '{"code": "unsubscribed", "detail": "The last subscription that wanted this was deleted while it waited."}'
      from unwanted
      where message.id = unwanted.id
        and message.organization_id = unwanted.organization_id;
      return null;
    end
  $$;
