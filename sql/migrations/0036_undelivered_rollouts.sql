-- Rollouts of dispatches that were never delivered, what a dispatch comes from, and notifications of failed deployments.

-- `unknown_at` is when a rollout ended without a report: it became unknown, or its dispatch was not delivered. A report that follows the
-- latter clears it, because the rollout may still become unknown, once.
alter table rollouts
  drop constraint rollouts_state_check,
  add constraint rollouts_state_check
    check (state in ('awaiting', 'in_progress', 'succeeded', 'failed', 'unknown', 'not_delivered')),
  drop constraint rollouts_reported,
  add constraint rollouts_reported
    check (
      case
        when state in ('awaiting', 'not_delivered') then reported_at is null
        when state = 'unknown' then true
        else reported_at is not null
      end
    );

-- The dispatches of a hook whose rollouts are in a state, newest first.
create index rollouts_state on rollouts (hook_id, state, created_at desc, id desc);

-- What a dispatch comes from; all are null for dispatches of earlier versions.
alter table dispatches
  -- The gate whose approval it tells of.
  add column gate_id      uuid,
  -- The workflow graph whose completion it tells of.
  add column graph_id     uuid,
  -- The user who asked for it: triggered it, rolled back, or sent it again.
  add column requested_by uuid;

-- What was sent after the approval of a gate.
create index dispatches_gate on dispatches (gate_id) where gate_id is not null;

-- As before; a dispatch that is created as failed or cancelled is not delivered.
create or replace function create_rollouts() returns trigger
  language plpgsql
  as $$
    begin
      if not exists (select from inserted where report_within_seconds is not null) then return null; end if;

      insert into environments as known (organization_id, workspace_id, project_id, environment, rollout_count)
      select organization_id, workspace_id, project_id, environment, count(*)
      from inserted
      where report_within_seconds is not null
      group by 1, 2, 3, 4
      order by 3, 4
      on conflict (project_id, environment, organization_id) do update
      set rollout_count = known.rollout_count + excluded.rollout_count;

      insert into rollouts (
        id, organization_id, workspace_id, project_id, hook_id, environment, event, event_at, state, unknown_at
      )
      select
        id, organization_id, workspace_id, project_id, hook_id, environment, event, id_time(event_id),
        case when status in ('failed', 'cancelled') then 'not_delivered' else 'awaiting' end,
        case when status in ('failed', 'cancelled') then completed_at end
      from inserted
      where report_within_seconds is not null;
      return null;
    end
  $$;

-- As before; a dispatch that ends undelivered ends its rollout, unless the receiver reported progress: it had the dispatch.
create or replace function set_rollout_deadlines() returns trigger
  language plpgsql
  as $$
    begin
      if not exists (select from changed where report_within_seconds is not null) then return null; end if;

      update rollouts as rollout
      set deadline_at = case
            when changed.status = 'succeeded' or rollout.state = 'in_progress'
            then greatest(changed.completed_at, rollout.reported_at) + changed.report_within_seconds * interval '1 second'
          end,
          state       = case when changed.status <> 'succeeded' and rollout.state = 'awaiting' then 'not_delivered' else rollout.state end,
          unknown_at  = case when changed.status <> 'succeeded' and rollout.state = 'awaiting' then changed.completed_at else rollout.unknown_at end
      from before
      join changed on changed.id = before.id and changed.organization_id = before.organization_id
      where rollout.id = changed.id
        and rollout.organization_id = changed.organization_id
        and changed.report_within_seconds is not null
        and changed.status <> before.status
        and (changed.status = 'succeeded' or rollout.state in ('awaiting', 'in_progress'));
      return null;
    end
  $$;

update rollouts as rollout
set state      = 'not_delivered',
    unknown_at = dispatch.completed_at
from dispatches as dispatch
where dispatch.id = rollout.id
  and dispatch.organization_id = rollout.organization_id
  and rollout.state = 'awaiting'
  and rollout.reported_at is null
  and dispatch.status in ('failed', 'cancelled');

alter table notifications
  drop constraint notifications_type_check,
  add constraint notifications_type_check
    check (
      type in (
        'gate_pending', 'execution_completed', 'execution_failed', 'budget_alert', 'invitation_received', 'member_added',
        'deployment_failed'
      )
    );

-- The unread notifications of a gate, which are read by themselves when it is decided.
create index notifications_gate on notifications (resource_id) where type = 'gate_pending' and read_at is null;

-- The failed deployments that a user has not read about.
create index notifications_deployment on notifications (user_id, sequence desc)
  where type = 'deployment_failed' and read_at is null;

-- Whoever wants to know of failed executions wants to know of failed deployments, until they say otherwise.
update notification_preferences
set types = types || 'deployment_failed'::text
where 'execution_failed' = any(types);

update notification_preferences
set email_types = email_types || 'deployment_failed'::text
where 'execution_failed' = any(email_types);
