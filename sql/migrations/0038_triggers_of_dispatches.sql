-- Triggers of dispatches and rollouts, and of runtimes, as those in 0037.

create or replace function dispatches_inserted() returns trigger
  language plpgsql
  as $$
    declare
      tenant record;
      dispatch record;
      added record;
    begin
      for tenant in
        select organization_id as id, array_agg(id) as ids, array_agg(hook_id) as lane_ids, array_agg(event) as events
        from inserted
        where status = 'pending'
        group by 1
      loop
        insert into deliveries (id, organization_id, lane_id, kind, event, is_test)
        select dispatch_id, tenant.id, lane_id, 'dispatch', event, event = 'test.ping'
        from unnest(tenant.ids, tenant.lane_ids, tenant.events) as pending (dispatch_id, lane_id, event);
      end loop;

      for dispatch in
        select id, organization_id, hook_id, event, status, redelivery_of, created_at, completed_at
        from inserted
        where status in ('failed', 'cancelled')
      loop
        insert into unsuccessful_deliveries (
          id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at
        )
        values (
          dispatch.id, dispatch.organization_id, dispatch.hook_id, 'dispatch', dispatch.event, dispatch.status,
          coalesce(dispatch.redelivery_of, dispatch.id), dispatch.created_at, dispatch.completed_at
        );
      end loop;

      for added in
        select hook_id, organization_id, id_week(id) as week, event, counted.status, count(*)
        from inserted
        cross join lateral (values ('created'), (case when status in ('failed', 'cancelled') then status end)) as counted (status)
        where counted.status is not null
        group by 1, 2, 3, 4, 5
        order by 1, 3, 4, 5
      loop
        insert into dispatch_counts as counted (hook_id, organization_id, week, event, status, count)
        values (added.hook_id, added.organization_id, added.week, added.event, added.status, added.count)
        on conflict (hook_id, week, event, status, organization_id) do update
        set count = counted.count + excluded.count;
      end loop;
      return null;
    end
  $$;

create or replace function dispatches_updated() returns trigger
  language plpgsql
  as $$
    declare
      dispatch record;
      moved record;
    begin
      if not exists (select from changed where status in ('failed', 'cancelled'))
        and not exists (select from before where status <> 'pending')
      then
        return null;
      end if;
      if exists (
        select from before join changed using (id) where before.status <> 'pending' and changed.status = 'pending'
      ) then
        raise exception 'A finished dispatch is not sent again: make a new one.'
          using errcode = 'integrity_constraint_violation';
      end if;

      for moved in
        select hook_id, organization_id, id_week(id) as week, event, status, sum(change) as count
        from (
          select hook_id, organization_id, id, event, status, 1 as change from changed
          union all
          select hook_id, organization_id, id, event, status, -1 from before
        ) as moves
        where status in ('failed', 'cancelled')
        group by 1, 2, 3, 4, 5
        having sum(change) <> 0
        order by 1, 3, 4, 5
      loop
        insert into dispatch_counts as counted (hook_id, organization_id, week, event, status, count)
        values (moved.hook_id, moved.organization_id, moved.week, moved.event, moved.status, moved.count)
        on conflict (hook_id, week, event, status, organization_id) do update
        set count = counted.count + excluded.count;
      end loop;

      for dispatch in
        select id, organization_id, hook_id, event, status, redelivery_of, created_at, completed_at from changed
      loop
        if dispatch.status in ('failed', 'cancelled') then
          insert into unsuccessful_deliveries (
            id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at
          )
          values (
            dispatch.id, dispatch.organization_id, dispatch.hook_id, 'dispatch', dispatch.event, dispatch.status,
            coalesce(dispatch.redelivery_of, dispatch.id), dispatch.created_at, dispatch.completed_at
          )
          on conflict (id, organization_id) do update
          set status = excluded.status;
        elsif dispatch.status = 'succeeded' then
          delete from unsuccessful_deliveries where id = dispatch.id and organization_id = dispatch.organization_id;
        end if;
      end loop;
      return null;
    end
  $$;

create or replace function set_rollout_deadlines() returns trigger
  language plpgsql
  as $$
    declare
      dispatch record;
    begin
      for dispatch in
        select id, organization_id, status, completed_at, report_within_seconds
        from changed
        where report_within_seconds is not null
          -- A subquery, and not a join, which may compare every row with every other although none is reported.
          and status <> (select status from before where id = changed.id and organization_id = changed.organization_id)
      loop
        update rollouts as rollout
        set deadline_at = case
              when dispatch.status = 'succeeded' or rollout.state = 'in_progress'
              then seconds_after(greatest(dispatch.completed_at, rollout.reported_at), dispatch.report_within_seconds)
            end,
            state       = case
              when dispatch.status <> 'succeeded' and rollout.state = 'awaiting' then 'not_delivered'
              else rollout.state
            end,
            unknown_at  = case
              when dispatch.status <> 'succeeded' and rollout.state = 'awaiting' then dispatch.completed_at
              else rollout.unknown_at
            end
        where rollout.id = dispatch.id
          and rollout.organization_id = dispatch.organization_id
          and (dispatch.status = 'succeeded' or rollout.state in ('awaiting', 'in_progress'));
      end loop;
      return null;
    end
  $$;

create or replace function delete_unreported_rollouts() returns trigger
  language plpgsql
  as $$
    declare
      deleted record;
    begin
      for deleted in
        select organization_id, array_agg(id) as ids, seconds_after(now(), report_within_seconds) as deadline_at
        from gone
        where report_within_seconds is not null
        group by organization_id, report_within_seconds
      loop
        delete from rollouts
        where id = any(deleted.ids)
          and organization_id = deleted.organization_id
          and reported_at is null;

        update rollouts
        set deadline_at = deleted.deadline_at
        where id = any(deleted.ids)
          and organization_id = deleted.organization_id
          and state = 'in_progress'
          and deadline_at is null;
      end loop;
      return null;
    end
  $$;

create or replace function rollouts_deleted() returns trigger
  language plpgsql
  as $$
    declare
      fewer record;
    begin
      for fewer in select project_id, environment, organization_id, count(*) from gone group by 1, 2, 3 order by 1, 2 loop
        update environments
        set rollout_count = rollout_count - fewer.count
        where project_id = fewer.project_id
          and environment = fewer.environment
          and organization_id = fewer.organization_id;
      end loop;
      return null;
    end
  $$;

-- In place of what the foreign key does, which a cluster does not do for one of its columns.
create or replace function clear_runtime() returns trigger
  language plpgsql
  as $$
    begin
      update executions set runtime_id = null where runtime_id = old.id and organization_id = old.organization_id;
      return old;
    end
  $$;

create or replace trigger runtimes_clear before delete on runtimes for each row execute function clear_runtime();
