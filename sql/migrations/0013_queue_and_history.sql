-- Triggers keep the queue (`deliveries`) and the history (`dispatches`, `channel_messages`) consistent, whatever path a statement
-- takes. Each function handles all rows of a statement at once.

-- For dispatches and messages: a finished one cannot stay in the queue.
create function refuse_finished_in_queue() returns trigger
  language plpgsql
  as $$
    begin
      -- A subquery by the key, and not a join: a plan from a time when little waited would read the whole queue.
      if exists (
        select
        from changed
        where status <> 'pending'
          and (select true from deliveries where id = changed.id and organization_id = changed.organization_id)
      ) then
        raise exception 'A finished dispatch or message cannot wait: delete its row of deliveries first.'
          using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end
  $$;

-- For dispatches and messages: a deleted one is deleted from the queue. This comes before everything else that is deleted with it
-- (triggers run in the order of their names), because recording an attempt locks the row of the queue first.
create function delete_from_queue() returns trigger
  language plpgsql
  as $$
    begin
      delete from deliveries
      using gone
      where deliveries.id = gone.id
        and deliveries.organization_id = gone.organization_id;
      delete from unsuccessful_deliveries as entry
      using gone
      where entry.id = gone.id
        and entry.organization_id = gone.organization_id;
      return null;
    end
  $$;

create trigger a_refuse_finished_in_queue after update on dispatches
  referencing new table as changed
  for each statement execute function refuse_finished_in_queue();

create trigger a_refuse_finished_in_queue after update on channel_messages
  referencing new table as changed
  for each statement execute function refuse_finished_in_queue();

create trigger a_delete_from_queue after delete on dispatches
  referencing old table as gone
  for each statement execute function delete_from_queue();

create trigger a_delete_from_queue after delete on channel_messages
  referencing old table as gone
  for each statement execute function delete_from_queue();

-- A new dispatch is queued, unless it is inserted as finished.
create function dispatches_inserted() returns trigger
  language plpgsql
  as $$
    begin
      insert into deliveries (id, organization_id, lane_id, kind, event, is_test)
      select id, organization_id, hook_id, 'dispatch', event, event = 'test.ping'
      from inserted
      where status = 'pending';

      insert into dispatch_counts as counted (hook_id, organization_id, week, event, status, count)
      select hook_id, organization_id, id_week(id), event, 'created', count(*)
      from inserted
      group by 1, 2, 3, 4
      order by 1, 3, 4
      on conflict (hook_id, week, event, status, organization_id) do update
      set count = counted.count + excluded.count;

      if exists (select from inserted where status in ('failed', 'cancelled')) then
        insert into dispatch_counts as counted (hook_id, organization_id, week, event, status, count)
        select hook_id, organization_id, id_week(id), event, status, count(*)
        from inserted
        where status in ('failed', 'cancelled')
        group by 1, 2, 3, 4, 5
        order by 1, 3, 4, 5
        on conflict (hook_id, week, event, status, organization_id) do update
        set count = counted.count + excluded.count;

        insert into unsuccessful_deliveries (
          id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at
        )
        select
          id, organization_id, hook_id, 'dispatch', event, status, coalesce(redelivery_of, id), created_at, completed_at
        from inserted
        where status in ('failed', 'cancelled');
      end if;
      return null;
    end
  $$;

-- Failed and cancelled dispatches are counted and listed.
create function dispatches_updated() returns trigger
  language plpgsql
  as $$
    begin
      if exists (select from changed where status in ('failed', 'cancelled'))
        or exists (select from before where status <> 'pending')
      then
        if exists (
          select from before join changed using (id) where before.status <> 'pending' and changed.status = 'pending'
        ) then
          raise exception 'A finished dispatch is not sent again: make a new one.'
            using errcode = 'integrity_constraint_violation';
        end if;

        insert into dispatch_counts as counted (hook_id, organization_id, week, event, status, count)
        select hook_id, organization_id, id_week(id), event, status, sum(change)
        from (
          select hook_id, organization_id, id, event, status, 1 as change from changed
          union all
          select hook_id, organization_id, id, event, status, -1 from before
        ) as moved
        where status in ('failed', 'cancelled')
        group by 1, 2, 3, 4, 5
        having sum(change) <> 0
        order by 1, 3, 4, 5
        on conflict (hook_id, week, event, status, organization_id) do update
        set count = counted.count + excluded.count;

        insert into unsuccessful_deliveries (
          id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at
        )
        select
          id, organization_id, hook_id, 'dispatch', event, status, coalesce(redelivery_of, id), created_at, completed_at
        from changed
        where status in ('failed', 'cancelled')
        on conflict (id, organization_id) do update
        set status = excluded.status;

        delete from unsuccessful_deliveries as entry
        using changed
        where entry.id = changed.id
          and entry.organization_id = changed.organization_id
          and changed.status = 'succeeded';
      end if;
      return null;
    end
  $$;

-- The other rows of a deleted dispatch are deleted as well.
create function dispatches_deleted() returns trigger
  language plpgsql
  as $$
    begin
      delete from dispatch_attempts as attempt
      using gone
      where attempt.dispatch_id = gone.id and attempt.organization_id = gone.organization_id;
      delete from dispatch_bodies as body
      using gone
      where body.dispatch_id = gone.id
        and body.organization_id = gone.organization_id;

      update dispatch_counts as counted
      set count = counted.count - fewer.count
      from (
        select hook_id, organization_id, id_week(id) as week, event, 'created' as status, count(*) from gone group by 1, 2, 3, 4
        union all
        select hook_id, organization_id, id_week(id), event, status, count(*)
        from gone
        where status in ('failed', 'cancelled')
        group by 1, 2, 3, 4, 5
      ) as fewer
      where counted.hook_id = fewer.hook_id
        and counted.organization_id = fewer.organization_id
        and counted.week = fewer.week
        and counted.event = fewer.event
        and counted.status = fewer.status;
      return null;
    end
  $$;

create trigger dispatches_inserted after insert on dispatches
  referencing new table as inserted
  for each statement execute function dispatches_inserted();

create trigger dispatches_updated after update on dispatches
  referencing old table as before new table as changed
  for each statement execute function dispatches_updated();

create trigger dispatches_deleted after delete on dispatches
  referencing old table as gone
  for each statement execute function dispatches_deleted();

-- The same for messages. They are not counted, and a failed message can be retried.
create function channel_messages_inserted() returns trigger
  language plpgsql
  as $$
    begin
      insert into deliveries (id, organization_id, lane_id, kind, event, is_test)
      select id, organization_id, channel_id, 'message', event, event = 'test.ping'
      from inserted
      where status = 'pending';

      insert into unsuccessful_deliveries (
        id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at
      )
      select
        id, organization_id, channel_id, 'message', event, status, id, created_at, completed_at
      from inserted
      where status in ('failed', 'cancelled');
      return null;
    end
  $$;

create function channel_messages_updated() returns trigger
  language plpgsql
  as $$
    begin
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

      insert into unsuccessful_deliveries (
        id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at
      )
      select
        id, organization_id, channel_id, 'message', event, status, id, created_at, completed_at
      from changed
      where status in ('failed', 'cancelled')
      on conflict (id, organization_id) do update
      set status = excluded.status, completed_at = excluded.completed_at;
      return null;
    end
  $$;

create trigger channel_messages_inserted after insert on channel_messages
  referencing new table as inserted
  for each statement execute function channel_messages_inserted();

create trigger channel_messages_updated after update on channel_messages
  referencing old table as before new table as changed
  for each statement execute function channel_messages_updated();
