-- Rollouts: the outcomes of deployments, as CI/CD systems report them, and what runs in each environment.

-- How long a receiver may take to report the outcome of the deployment; null: it does not report.
alter table deployment_hooks
  add column report_within_seconds integer check (report_within_seconds between 60 and 604800);

create trigger deployment_hooks_touch_report before update of report_within_seconds on deployment_hooks
  for each row execute function touch();

-- The value of the hook when the dispatch was made. A dispatch has a rollout if and only if it is set.
alter table dispatches add column report_within_seconds integer;

-- The moment of an id (UUIDv7), whose first six bytes are milliseconds since 1970.
create function id_time(id uuid) returns timestamptz
  language sql immutable strict parallel safe
  as $$
    select timestamptz '1970-01-01 00:00:00+00'
      + ('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint * interval '1 millisecond'
  $$;

-- One row is an environment of a project to which something was dispatched, and what runs there. Reports of its rollouts lock it,
-- so that they are recorded one after another. It refers to rollouts without foreign keys, because they refer to it.
create table environments (
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  environment     text not null,
  -- The last rollout that succeeded, the one before it, and the last that was reported, in whatever state.
  current_id      uuid,
  previous_id     uuid,
  latest_id       uuid,
  -- The first failure since the last success; null if there is none, or was no success before.
  failing_since   timestamptz(3),
  rollout_count   bigint not null default 0,
  -- The figures of the last 30 days, stored so that reading them does not read thousands of rollouts. They are exact until
  -- `figures_until`, when the oldest counted rollout is 30 days old; null while none is counted.
  frequency_30d                     numeric,
  change_failure_rate_30d           numeric,
  lead_time_median_seconds_30d      numeric,
  restore_time_median_seconds_30d   numeric,
  figures_until                     timestamptz(3),
  primary key (project_id, environment, organization_id),
  constraint environments_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
) with (fillfactor = 50);

-- Environments whose figures are out of date.
create index environments_figures on environments (figures_until) where figures_until is not null;

-- One row is the rollout of a dispatch: what its receiver reported. It has the id of the dispatch, and outlives it and the hook.
create table rollouts (
  id              uuid not null,
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  hook_id         uuid not null,
  environment     text not null,
  event           text not null,
  event_at        timestamptz(3) not null,
  state           text not null default 'awaiting'
                    check (state in ('awaiting', 'in_progress', 'succeeded', 'failed', 'unknown', 'not_delivered')),
  version         text check (length(version) <= 120),
  url             text check (length(url) <= 2048),
  description     text check (length(description) <= 2000),
  -- The user who reported last; null for the report token.
  reported_by     uuid,
  reported_at     timestamptz(3),
  -- Set when the dispatch is delivered, and later by each report of progress.
  deadline_at     timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  -- When rollout.started was emitted, once.
  started_at      timestamptz(3),
  -- When it ended without a report: it became unknown, which rollout.unknown tells once, or its dispatch was not delivered. A
  -- report that follows the latter clears it, because the rollout may still become unknown, once.
  unknown_at      timestamptz(3),
  -- The time in the history of the environment.
  at              timestamptz(3) not null generated always as (coalesce(reported_at, unknown_at, created_at)) stored,
  -- Of a success: milliseconds since the event, and since the failure that it ends.
  lead_ms         bigint,
  restore_ms      bigint,
  primary key (id, organization_id),
  constraint rollouts_reported
    check (
      case
        when state in ('awaiting', 'not_delivered') then reported_at is null
        when state = 'unknown' then true
        else reported_at is not null
      end
    ),
  constraint rollouts_environment foreign key (project_id, environment, organization_id)
    references environments (project_id, environment, organization_id) on delete cascade
) with (fillfactor = 80);

-- The history of an environment, newest first.
create index rollouts_history on rollouts (project_id, environment, at desc, id desc);

-- The dispatches of a hook whose rollouts are in a state, newest first.
create index rollouts_state on rollouts (hook_id, state, created_at desc, id desc);

-- The figures of an environment over the last 30 days, from the index alone.
create index rollouts_finished on rollouts (project_id, environment, reported_at)
  include (organization_id, state, lead_ms, restore_ms)
  where state in ('succeeded', 'failed');

-- Rollouts whose receivers have not reported in time.
create index rollouts_deadline on rollouts (deadline_at) where state in ('awaiting', 'in_progress') and deadline_at is not null;

-- Rollouts that are deleted with their dispatches.
create index rollouts_unreported on rollouts (id) where reported_at is null;

-- The figures of an environment as of now.
create function environment_figures(
  project_id uuid,
  environment text,
  organization_id uuid,
  out frequency_30d numeric,
  out change_failure_rate_30d numeric,
  out lead_time_median_seconds_30d numeric,
  out restore_time_median_seconds_30d numeric,
  out figures_until timestamptz
)
  language sql stable
  as $$
    select
      case when count(*) > 0 then count(*) filter (where rollout.state = 'succeeded') / 30.0 end,
      count(*) filter (where rollout.state = 'failed') / nullif(count(*), 0)::numeric,
      round((percentile_cont(0.5) within group (order by rollout.lead_ms))::numeric / 1000, 3),
      round((percentile_cont(0.5) within group (order by rollout.restore_ms))::numeric / 1000, 3),
      min(rollout.reported_at) + interval '30 days'
    from rollouts as rollout
    where rollout.project_id = environment_figures.project_id
      and rollout.environment = environment_figures.environment
      and rollout.organization_id = environment_figures.organization_id
      and rollout.state in ('succeeded', 'failed')
      and rollout.reported_at > now() - interval '30 days'
  $$;

-- The first final report stands.
create function refuse_other_outcome() returns trigger
  language plpgsql
  as $$
    begin
      raise exception 'Rollout % is %, which is final.', old.id, old.state
        using errcode = 'integrity_constraint_violation';
    end
  $$;

create trigger rollouts_final before update of state on rollouts
  for each row when (old.state in ('succeeded', 'failed') and new.state <> old.state)
  execute function refuse_other_outcome();

-- A dispatch gets its rollout in the statement that creates it, whichever that is; one that is created as failed or cancelled is
-- not delivered. Runs after the trigger that queues it, because triggers run in the order of their names.
create function create_rollouts() returns trigger
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

-- The deadline runs from the time at which the receiver accepted the dispatch, whatever was reported before. A dispatch that ends
-- undelivered ends its rollout, unless the receiver reported progress: it had the dispatch.
create function set_rollout_deadlines() returns trigger
  language plpgsql
  as $$
    begin
      if not exists (select from changed where report_within_seconds is not null) then return null; end if;

      update rollouts as rollout
      set deadline_at = case
            when changed.status = 'succeeded' or rollout.state = 'in_progress'
            then greatest(changed.completed_at, rollout.reported_at) + changed.report_within_seconds * interval '1 second'
          end,
          state       = case
            when changed.status <> 'succeeded' and rollout.state = 'awaiting' then 'not_delivered'
            else rollout.state
          end,
          unknown_at  = case
            when changed.status <> 'succeeded' and rollout.state = 'awaiting' then changed.completed_at
            else rollout.unknown_at
          end
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

-- A deleted dispatch takes its rollout with it if nothing was reported. One in progress gets a deadline if it has none, since no
-- report can follow.
create function delete_unreported_rollouts() returns trigger
  language plpgsql
  as $$
    begin
      if not exists (select from gone where report_within_seconds is not null) then return null; end if;

      delete from rollouts as rollout
      using gone
      where rollout.id = gone.id
        and rollout.organization_id = gone.organization_id
        and rollout.reported_at is null;

      update rollouts as rollout
      set deadline_at = now() + gone.report_within_seconds * interval '1 second'
      from gone
      where rollout.id = gone.id
        and rollout.organization_id = gone.organization_id
        and rollout.state = 'in_progress'
        and rollout.deadline_at is null;
      return null;
    end
  $$;

create trigger rollouts_created after insert on dispatches
  referencing new table as inserted
  for each statement execute function create_rollouts();

create trigger rollouts_delivered after update on dispatches
  referencing old table as before new table as changed
  for each statement execute function set_rollout_deadlines();

create trigger rollouts_forgotten after delete on dispatches
  referencing old table as gone
  for each statement execute function delete_unreported_rollouts();

-- Deleted rollouts are no longer counted.
create function rollouts_deleted() returns trigger
  language plpgsql
  as $$
    begin
      update environments as known
      set rollout_count = known.rollout_count - fewer.count
      from (select project_id, environment, organization_id, count(*) from gone group by 1, 2, 3 order by 1, 2) as fewer
      where known.project_id = fewer.project_id
        and known.environment = fewer.environment
        and known.organization_id = fewer.organization_id;
      return null;
    end
  $$;

create trigger rollouts_deleted after delete on rollouts
  referencing old table as gone
  for each statement execute function rollouts_deleted();
