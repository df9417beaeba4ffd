-- Rollouts, dispatches and the queue.

alter table rollouts
  -- What was deployed, as receivers report it: as the digest of a gate's subject, { gitCommit } or { sha256 }. Null if it was not reported.
  add column digest          jsonb check (jsonb_typeof(digest) = 'object'),
  -- What was approved for the dispatch when the digest was reported; null if nothing was.
  add column approved_digest jsonb check (jsonb_typeof(approved_digest) = 'object'),
  -- What a rollout comes from, as its dispatch says, which is forgotten earlier: the gate whose approval it follows, or the workflow graph
  -- that was completed. Null for other rollouts, and for those from before.
  add column gate_id         uuid,
  add column graph_id        uuid;

-- As before, with what the rollout comes from.
create or replace function create_rollouts() returns trigger
  language plpgsql
  as $$
    declare
      known record;
      dispatch record;
    begin
      for known in
        select organization_id, workspace_id, project_id, environment, count(*)
        from inserted
        where report_within_seconds is not null
        group by 1, 2, 3, 4
        order by 3, 4
      loop
        insert into environments as counted (organization_id, workspace_id, project_id, environment, rollout_count)
        values (known.organization_id, known.workspace_id, known.project_id, known.environment, known.count)
        on conflict (project_id, environment, organization_id) do update
        set rollout_count = counted.rollout_count + excluded.rollout_count;
      end loop;

      for dispatch in
        select
          id, organization_id, workspace_id, project_id, hook_id, environment, event, event_id, status, completed_at, gate_id, graph_id
        from inserted
        where report_within_seconds is not null
      loop
        insert into rollouts (
          id, organization_id, workspace_id, project_id, hook_id, environment, event, event_at, state, unknown_at, gate_id, graph_id
        )
        values (
          dispatch.id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id, dispatch.hook_id,
          dispatch.environment, dispatch.event, id_time(dispatch.event_id),
          case when dispatch.status in ('failed', 'cancelled') then 'not_delivered' else 'awaiting' end,
          case when dispatch.status in ('failed', 'cancelled') then dispatch.completed_at end, dispatch.gate_id, dispatch.graph_id
        );
      end loop;
      return null;
    end
  $$;

-- Temporary hooks: pull hooks of programs that may vanish, such as `signalbox listen` on a laptop. One without a claim for 24 hours
-- is removed.
alter table deployment_hooks
  add column temporary  boolean not null default false,
  -- Of a temporary hook: about the time of the last claim from it. Writing it changes nothing that a response shows, so it keeps the version.
  add column claimed_at timestamptz(3) not null default now(),
  add constraint deployment_hooks_temporary check (not temporary or mode = 'pull');

-- Those to remove.
create index deployment_hooks_temporary on deployment_hooks (claimed_at) where temporary;

-- The reason for sending a dispatch without an approval, and in a freeze; null without one.
alter table dispatches add column override_reason text;

alter table deliveries
  -- Until when freezes hold a dispatch back; in the past if they did. Null if none did.
  add column held_until timestamptz(3),
  -- A dispatch is due when it is written, and not when its transaction began, which may have waited for locks since. So the dispatches of a
  -- lane become visible in the order in which they are due, and a worker that has read a lane need not look for older ones. The column would
  -- round the time up, so that a read just after the commit would not find it.
  alter column due_at set default date_trunc('milliseconds', statement_timestamp());

-- A table that was vacuumed while it was empty is considered empty until its next analysis, however much it grows. Then all indexes that
-- contain the id look alike to PostgreSQL, and it may read this one as a whole to find one id. With a condition, which always holds, it is
-- only used for the deliveries of a lane.
drop index deliveries_due;
create index deliveries_due on deliveries (lane_id, due_at, id) where lane_id is not null;

-- Redeliveries that operators made with an earlier version lack what they come from: a revocation did not find them, nor does who sends
-- them again learn of it.
update dispatches as copy
set gate_id  = original.gate_id,
    graph_id = original.graph_id
from dispatches as original
where copy.redelivery_of is not null
  and copy.gate_id is null
  and copy.graph_id is null
  and original.id = copy.redelivery_of
  and original.organization_id = copy.organization_id
  and (original.gate_id is not null or original.graph_id is not null);
