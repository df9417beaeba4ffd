-- What became of the work of agents, by agent: reports over the executions of an organization.

-- The executions of an organization in a span of time. It has a condition, which is always true, so that PostgreSQL does not use it to find
-- one execution while the table is small, with a plan that is kept when it has grown.
create index executions_organization on executions (organization_id, created_at) where created_at is not null;

-- Its gates that people decided, since a time.
create index gates_judged on gates (organization_id, decided_at) where status in ('approved', 'rejected', 'changes_requested');

-- Its requirements that are done.
create index requirements_done on requirements (organization_id, id) where status = 'done';

-- Its comparisons that were decided for one of the tracks.
create index dual_track_comparisons_won on dual_track_comparisons (organization_id, created_at) where winner in ('a', 'b');

-- What a rollout comes from, as its dispatch says, which is forgotten earlier: the gate whose approval it follows, or the workflow graph
-- that was completed. Null for other rollouts, and for those from before.
alter table rollouts
  add column gate_id  uuid,
  add column graph_id uuid;

-- The rollouts of an organization that have ended, since a time.
create index rollouts_ended on rollouts (organization_id, reported_at) where state in ('succeeded', 'failed');

-- As before, with what the rollout comes from.
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
        id, organization_id, workspace_id, project_id, hook_id, environment, event, event_at, state, unknown_at, gate_id, graph_id
      )
      select
        id, organization_id, workspace_id, project_id, hook_id, environment, event, id_time(event_id),
        case when status in ('failed', 'cancelled') then 'not_delivered' else 'awaiting' end,
        case when status in ('failed', 'cancelled') then completed_at end, gate_id, graph_id
      from inserted
      where report_within_seconds is not null;
      return null;
    end
  $$;
