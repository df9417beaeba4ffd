-- Triggers that handle all rows of a statement at once. Each statement of theirs on another table names one organization, and reads no transition
-- table: on a cluster, where these are on a node that plans such a statement by its organization, it could do neither.

create or replace function await_seal() returns trigger
  language plpgsql
  as $$
    declare
      tenant record;
    begin
      for tenant in select organization_id as id, array_agg(id) as entry_ids from written group by 1 loop
        insert into audit_log_unsealed (organization_id, entry_id) select tenant.id, unnest(tenant.entry_ids);
      end loop;
      return null;
    end
  $$;

create or replace function count_added_members() returns trigger
  language plpgsql
  as $$
    declare
      added record;
    begin
      for added in select organization_id, count(*)::integer as count from added_members group by 1 order by 1 loop
        -- The row lock makes the next transaction wait and look again.
        update organizations as organization
        set member_count = organization.member_count + added.count
        where organization.id = added.organization_id
          and organization.deleted_at is null
          and (organization.max_members is null or organization.member_count + added.count <= organization.max_members);
        if not found then
          raise exception 'violated constraint "organizations_max_members": The organization is deleted, or has all the members that it may have'
            using errcode = 'check_violation', constraint = 'organizations_max_members';
        end if;
      end loop;
      return null;
    end
  $$;

create or replace function count_removed_members() returns trigger
  language plpgsql
  as $$
    declare
      removed record;
    begin
      for removed in select organization_id, count(*)::integer as count from removed_members group by 1 order by 1 loop
        update organizations as organization
        set member_count = organization.member_count - removed.count
        where organization.id = removed.organization_id
          and organization.deleted_at is null;
      end loop;
      return null;
    end
  $$;

-- By the key of each, and not by a list: a plan from a time when little waited would read the whole history.
create or replace function pending_among(of_kind text, ids uuid[], in_organization uuid) returns uuid[]
  language plpgsql stable
  as $$
    begin
      if of_kind = 'dispatch' then
        return array(
          select given.id
          from unnest(ids) as given (id)
          where (
            select true
            from dispatches as dispatch
            where dispatch.id = given.id
              and dispatch.organization_id = in_organization
              and dispatch.status = 'pending'
          )
        );
      end if;
      return array(
        select given.id
        from unnest(ids) as given (id)
        where (
          select true
          from channel_messages as message
          where message.id = given.id
            and message.organization_id = in_organization
            and message.status = 'pending'
        )
      );
    end
  $$;

create or replace function deliveries_inserted() returns trigger
  language plpgsql
  as $$
    declare
      written record;
      finished uuid;
    begin
      if pg_trigger_depth() > 1 then return null; end if;
      for written in select organization_id, kind, array_agg(id) as ids from made group by 1, 2 loop
        select id into finished
        from unnest(written.ids) as id
        where id <> all(pending_among(written.kind, written.ids, written.organization_id))
        limit 1;
        if finished is not null then
          raise exception 'No dispatch or message of id % is pending.', finished
            using errcode = 'integrity_constraint_violation';
        end if;
      end loop;
      return null;
    end
  $$;

create or replace function deliveries_deleted() returns trigger
  language plpgsql
  as $$
    declare
      deleted record;
      pending uuid[];
    begin
      if pg_trigger_depth() > 1 then return null; end if;
      for deleted in select organization_id, kind, array_agg(id) as ids from gone group by 1, 2 loop
        pending := pending_among(deleted.kind, deleted.ids, deleted.organization_id);
        if cardinality(pending) > 0 then
          raise exception '% is pending, and would never be sent: finish it in the same statement.', pending[1]
            using errcode = 'integrity_constraint_violation';
        end if;
      end loop;
      return null;
    end
  $$;

create or replace function cancel_unwanted_messages() returns trigger
  language plpgsql
  as $$
    declare
      lane record;
    begin
      for lane in select distinct organization_id, channel_id as id from gone order by 1, 2 loop
        with unwanted as (
          delete from deliveries as delivery
          using channel_messages as message, channel_events as event
          where delivery.lane_id = lane.id
            and delivery.organization_id = lane.organization_id
            and not delivery.is_test
            and message.id = delivery.id
            and message.organization_id = lane.organization_id
            -- No subscription asked for updates.
            and not message.is_update
            and event.id = message.event_id
            and event.organization_id = lane.organization_id
            and not exists (
              select 1
              from subscriptions as subscription
              where subscription.channel_id = message.channel_id
                and subscription.organization_id = lane.organization_id
                and (subscription.filter_project_id is null or subscription.filter_project_id = event.project_id)
                and (
                  subscription.event_pattern in ('*', message.event)
                  or subscription.event_pattern like '%.*'
                    and starts_with(message.event, left(subscription.event_pattern, -1))
                )
            )
          returning delivery.id, delivery.attempt_count
        )
        update channel_messages as message
        set status        = 'cancelled',
            attempt_count = unwanted.attempt_count,
            completed_at  = now(),
            error         = '{"code": "unsubscribed", "detail": "The last subscription that wanted this was deleted while it waited."}'
        from unwanted
        where message.id = unwanted.id
          and message.organization_id = lane.organization_id;
      end loop;
      return null;
    end
  $$;

create or replace function refuse_finished_in_queue() returns trigger
  language plpgsql
  as $$
    declare
      finished record;
    begin
      for finished in select organization_id, array_agg(id) as ids from changed where status <> 'pending' group by 1 loop
        -- A subquery by the key, and not a join: a plan from a time when little waited would read the whole queue.
        if exists (
          select 1
          from unnest(finished.ids) as given (id)
          where (select true from deliveries where id = given.id and organization_id = finished.organization_id)
        ) then
          raise exception 'A finished dispatch or message cannot wait: delete its row of deliveries first.'
            using errcode = 'integrity_constraint_violation';
        end if;
      end loop;
      return null;
    end
  $$;

create or replace function delete_from_queue() returns trigger
  language plpgsql
  as $$
    declare
      deleted record;
    begin
      for deleted in select organization_id, array_agg(id) as ids from gone group by 1 loop
        delete from deliveries where id = any(deleted.ids) and organization_id = deleted.organization_id;
        delete from unsuccessful_deliveries where id = any(deleted.ids) and organization_id = deleted.organization_id;
      end loop;
      return null;
    end
  $$;

create or replace function channel_messages_inserted() returns trigger
  language plpgsql
  as $$
    declare
      tenant record;
      message record;
    begin
      for tenant in
        select organization_id as id, array_agg(id) as ids, array_agg(channel_id) as lane_ids, array_agg(event) as events
        from inserted
        where status = 'pending'
        group by 1
      loop
        insert into deliveries (id, organization_id, lane_id, kind, event, is_test)
        select message_id, tenant.id, lane_id, 'message', event, event = 'test.ping'
        from unnest(tenant.ids, tenant.lane_ids, tenant.events) as pending (message_id, lane_id, event);
      end loop;

      for message in
        select id, organization_id, channel_id, event, status, created_at, completed_at
        from inserted
        where status in ('failed', 'cancelled')
      loop
        insert into unsuccessful_deliveries (
          id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at
        )
        values (
          message.id, message.organization_id, message.channel_id, 'message', message.event, message.status, message.id,
          message.created_at, message.completed_at
        );
      end loop;
      return null;
    end
  $$;

create or replace function channel_messages_updated() returns trigger
  language plpgsql
  as $$
    declare
      message record;
    begin
      for message in
        select
          changed.id, changed.organization_id, changed.channel_id, changed.event, changed.attempt_count, changed.status,
          changed.created_at, changed.completed_at, before.status as status_before
        from changed
        join before on before.id = changed.id
      loop
        if message.status = 'pending' and message.status_before <> 'pending' then
          insert into deliveries (id, organization_id, lane_id, kind, event, attempt_count, is_test)
          values (
            message.id, message.organization_id, message.channel_id, 'message', message.event, message.attempt_count,
            message.event = 'test.ping'
          );
        end if;
        if message.status in ('failed', 'cancelled') then
          insert into unsuccessful_deliveries (
            id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at
          )
          values (
            message.id, message.organization_id, message.channel_id, 'message', message.event, message.status, message.id,
            message.created_at, message.completed_at
          )
          on conflict (id, organization_id) do update
          set status = excluded.status, completed_at = excluded.completed_at;
        elsif message.status_before in ('failed', 'cancelled') then
          delete from unsuccessful_deliveries where id = message.id and organization_id = message.organization_id;
        end if;
      end loop;
      return null;
    end
  $$;

-- Primary keys, by which a cluster finds the rows of a shard that it moves: what the system does is counted under an id as well.
update audit_log_counts set actor_id = '00000000-0000-0000-0000-000000000000' where actor_id is null;

alter table audit_log_counts
  drop constraint audit_log_counts_key,
  add constraint audit_log_counts_pkey primary key (organization_id, action, actor_id, day),
  replica identity default;

alter table budget_crossings
  add column scope_id uuid not null generated always as (coalesce(workspace_id, organization_id)) stored,
  drop constraint budget_crossings_once,
  add constraint budget_crossings_pkey primary key (organization_id, scope_id, month, kind, epoch),
  replica identity default;
