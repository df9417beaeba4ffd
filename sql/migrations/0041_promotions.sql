-- Promotion: what has run in one environment long enough may come to the next.

alter table environment_policies
  -- The environment where a subject must have run before, and for how long. Null: none.
  add column promotes_from text check (length(promotes_from) between 1 and 64),
  add column soak_seconds  integer not null default 0 check (soak_seconds between 0 and 2592000),
  -- Whether Signalbox opens the gate when a subject has run there for so long.
  add column open_gate     boolean not null default false,
  add constraint environment_policies_promotion
    check (promotes_from is not null or soak_seconds = 0 and not open_gate),
  add constraint environment_policies_circular check (promotes_from <> environment);

alter table environments
  -- The digest of what reported success last; null if that is not known.
  add column current_digest text,
  -- The subject whose run began last: only this one is promoted by itself.
  add column newest_digest  text,
  -- The last rollback: what was dispatched before does not run there, even if its success is reported later.
  add column rolled_back_at timestamptz(3);

-- One row is a subject in an environment. It has run there since `since`, the first success that was reported, until a rollout of it fails or
-- the environment is rolled back; the next success begins another run. Reports and rollbacks write it while they hold the row of the
-- environment, so the order in which they happen counts, and no clock.
create table environment_runs (
  organization_id uuid not null,
  project_id      uuid not null,
  environment     text not null,
  -- `gitCommit:…` or `sha256:…`.
  digest          text not null,
  -- As gates name it; null, as the next two, if it never ran.
  subject         jsonb check (jsonb_typeof(subject) = 'object'),
  since           timestamptz(3),
  rollout_id      uuid,
  ended_at        timestamptz(3),
  ended_by        text check (ended_by in ('failed', 'rolled_back')),
  changed_at      timestamptz(3) not null default now(),
  primary key (project_id, environment, digest, organization_id),
  constraint environment_runs_environment foreign key (project_id, environment, organization_id)
    references environments (project_id, environment, organization_id) on delete cascade,
  constraint environment_runs_began check (num_nulls(subject, since, rollout_id) in (0, 3)),
  constraint environment_runs_ended check ((ended_at is null) = (ended_by is null)),
  constraint environment_runs_known check (since is not null or ended_at is not null)
);

-- Runs that are forgotten.
create index environment_runs_changed on environment_runs (changed_at);

-- One row is an environment that promotes from another: when the sweep looks at it next, and what it has done about the newest subject there.
create table promotions (
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  environment     text not null,
  -- Null: when something changes, which sets it.
  due_at          timestamptz(3) default now(),
  -- The run whose end of soak was announced.
  ready_digest    text,
  ready_since     timestamptz(3),
  -- Why the gate cannot be opened; null if nothing forbids it.
  obstacle        text,
  primary key (project_id, environment, organization_id),
  constraint promotions_policy foreign key (project_id, environment, organization_id)
    references environment_policies (project_id, environment, organization_id) on delete cascade,
  constraint promotions_ready check ((ready_digest is null) = (ready_since is null))
);

create index promotions_due on promotions (due_at) where due_at is not null;

-- Those that operators are shown.
create index promotions_obstacle on promotions (organization_id) where obstacle is not null;

alter table gates
  -- Null: Signalbox opened it.
  alter column created_by drop not null,
  -- Then, whose work it is about: `prevent_self_approval` keeps them from approving it, as it does the person who opens a gate.
  add column asked_by      uuid[] not null default '{}',
  -- How many of its checks, the last ones, Signalbox has added: they do not satisfy `require_checks`.
  add column added_checks  integer not null default 0 check (added_checks >= 0),
  -- What the policy required when the gate was approved: a stricter one that follows does not count.
  add column promotes_from text,
  add column soak_seconds  integer;

create trigger gates_fixed_origin before update of asked_by, added_checks on gates
  for each row when ((old.asked_by, old.added_checks) is distinct from (new.asked_by, new.added_checks))
  execute function refuse_gate_change();

-- As before, and with those whose work it is.
create or replace function check_gate_approval() returns trigger
  language plpgsql
  as $$
    declare
      gate gates;
      starter uuid;
    begin
      select * into gate from gates where id = new.gate_id and organization_id = new.organization_id for no key update;
      select started_by into starter from executions where id = gate.execution_id and organization_id = gate.organization_id;
      if not gate_is_open(gate.status, gate.expires_at) then
        raise exception 'violated constraint "gate_approvals_open": the gate is not open'
          using errcode = 'check_violation', constraint = 'gate_approvals_open';
      end if;
      if not new.via = any (gate.decide_via) then
        raise exception 'violated constraint "gate_approvals_via": the gate cannot be decided this way'
          using errcode = 'check_violation', constraint = 'gate_approvals_via';
      end if;
      if gate.prevent_self_approval and (new.user_id in (gate.created_by, starter) or new.user_id = any (gate.asked_by)) then
        raise exception 'violated constraint "gate_approvals_self": self-approval is not allowed'
          using errcode = 'check_violation', constraint = 'gate_approvals_self';
      end if;
      if gate.require_passkey and new.proof is null then
        raise exception 'violated constraint "gate_approvals_proof": the gate requires a passkey'
          using errcode = 'check_violation', constraint = 'gate_approvals_proof';
      end if;
      return new;
    end
  $$;

alter table dispatches
  -- Where its subject must run until it is sent; null if nowhere.
  add column promoted_from   text,
  add column promoted_digest text,
  -- When it has run there long enough.
  add column soak_until      timestamptz(3),
  add constraint dispatches_promoted check (num_nulls(promoted_from, promoted_digest, soak_until) in (0, 3));

-- A dispatch whose subject soaks waits as in a freeze. Runs after the trigger that queues it, because triggers run in the order of their names.
create function hold_soaking() returns trigger
  language plpgsql
  as $$
    declare
      dispatch record;
    begin
      for dispatch in
        select id, organization_id, hook_id, created_at, soak_until
        from inserted
        where status = 'pending' and soak_until > now()
      loop
        update deliveries
        set held_until = dispatch.soak_until,
            due_at     = least(
              dispatch.soak_until,
              (
                select seconds_after(dispatch.created_at, max_age_seconds)
                from deployment_hooks
                where id = dispatch.hook_id and organization_id = dispatch.organization_id
              )
            )
        where id = dispatch.id and organization_id = dispatch.organization_id;
      end loop;
      return null;
    end
  $$;

create trigger dispatches_soak after insert on dispatches
  referencing new table as inserted
  for each statement execute function hold_soaking();

-- As before, with where the subject must run.
create or replace function redeliver_dispatches(
  tenant uuid, new_ids uuid[], original_ids uuid[], attempts integer, keeps_override boolean,
  asked_by uuid default null, of_request text default null, of_trace text default null
) returns void
  language plpgsql
  as $$
    begin
      insert into dispatches (
        id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence,
        max_attempts, redelivery_of, made_after_sequence,
        report_within_seconds, gate_id, graph_id, promoted_from, promoted_digest, soak_until,
        override_reason, requested_by, request_id, traceparent, encrypted_body, has_report, body
      )
      select
        made.id, original.organization_id, original.workspace_id, original.project_id, original.hook_id, original.event_id,
        original.event, original.environment, original.sequence,
        case when original.event = 'test.ping' then 1 else coalesce(attempts, original.max_attempts) end,
        coalesce(original.redelivery_of, original.id), coalesce(lane.sequence, 0),
        case when original.event <> 'test.ping' then hook.report_within_seconds end, original.gate_id, original.graph_id,
        original.promoted_from, original.promoted_digest, original.soak_until,
        case when keeps_override then original.override_reason end, asked_by, of_request, of_trace,
        original.encrypted_body, original.has_report, original.body
      from unnest(new_ids, original_ids) as made (id, original_id)
      join dispatches as original on original.id = made.original_id and original.organization_id = tenant
      join deployment_hooks as hook on hook.id = original.hook_id and hook.organization_id = tenant
      left join lanes as lane on lane.id = original.hook_id and lane.organization_id = tenant
      -- Of a body that was too large, nothing is kept.
      where original.body is not null
      order by made.id;
    end
  $$;

-- The end of a gate may let the gate of a promotion open: there is room for it, or an approval was revoked.
create function reconsider_promotions() returns trigger
  language plpgsql
  as $$
    begin
      update promotions
      set due_at = now()
      where project_id = new.project_id
        and organization_id = new.organization_id
        and (obstacle is not null or new.revoked_at is not null and environment = new.environment);
      return null;
    end
  $$;

create trigger gates_promotions after update of status, revoked_at on gates
  for each row when (old.status <> new.status or old.revoked_at is distinct from new.revoked_at)
  execute function reconsider_promotions();

-- What has run so far. Every rollback that was sent to an environment counts as one there.
insert into environment_runs (organization_id, project_id, environment, digest, subject, since, rollout_id, ended_at, ended_by, changed_at)
select
  run.organization_id, run.project_id, run.environment, run.digest,
  case when run.since is not null then coalesce(
    run.subject,
    jsonb_build_object(
      'uri', 'pkg:generic/' || run.project_id || '@' || split_part(run.digest, ':', 2),
      'digest', jsonb_build_object(split_part(run.digest, ':', 1), split_part(run.digest, ':', 2)),
      'version', run.version
    )
  ) end,
  run.since, run.rollout_id,
  case when run.since is null then coalesce(run.failed_at, run.rolled_back_at) end,
  case when run.since is null then case when run.failed_at is null then 'rolled_back' else 'failed' end end,
  coalesce(run.since, run.failed_at, run.rolled_back_at)
from (
  select
    known.organization_id, known.project_id, known.environment, known.digest, known.failed_at, known.rolled_back_at,
    min(known.reported_at) filter (where known.counts) as since,
    (array_agg(known.id order by known.reported_at) filter (where known.counts))[1] as rollout_id,
    (array_agg(known.version order by known.reported_at) filter (where known.counts))[1] as version,
    (array_agg(known.subject order by known.reported_at) filter (where known.is_approved))[1] as subject
  from (
    select
      *,
      state = 'succeeded'
        and reported_at > coalesce(failed_at, '-infinity')
        and reported_at > coalesce(rolled_back_at, '-infinity') as counts
    from (
      select
        rollout.id, rollout.organization_id, rollout.project_id, rollout.environment, rollout.state, rollout.reported_at,
        rollout.version, identified.digest, gate.subject,
        gate.subject is not null and (rollout.digest is null or rollout.digest = gate.subject -> 'digest') as is_approved,
        max(rollout.reported_at) filter (where rollout.state = 'failed') over of_digest as failed_at,
        max(rollout.event_at) filter (where rollout.event = 'deployment.rollback') over of_environment as rolled_back_at
      from rollouts as rollout
      left join gates as gate on gate.id = rollout.gate_id and gate.organization_id = rollout.organization_id
      cross join lateral (
        select coalesce(
          'gitCommit:' || (coalesce(rollout.digest, gate.subject -> 'digest') ->> 'gitCommit'),
          'sha256:' || (coalesce(rollout.digest, gate.subject -> 'digest') ->> 'sha256')
        ) as digest
      ) as identified
      window
        of_digest as (partition by rollout.organization_id, rollout.project_id, rollout.environment, identified.digest),
        of_environment as (partition by rollout.organization_id, rollout.project_id, rollout.environment)
    ) as rollout
    where rollout.digest is not null
      and rollout.state in ('succeeded', 'failed')
  ) as known
  group by 1, 2, 3, 4, 5, 6
) as run
where coalesce(run.since, run.failed_at, run.rolled_back_at) is not null;

update environments as known
set newest_digest = newest.digest
from (
  select distinct on (organization_id, project_id, environment) organization_id, project_id, environment, digest
  from environment_runs
  where since is not null
  order by organization_id, project_id, environment, since desc
) as newest
where known.project_id = newest.project_id
  and known.environment = newest.environment
  and known.organization_id = newest.organization_id;

update environments as known
set rolled_back_at = rollback.at
from (
  select organization_id, project_id, environment, max(event_at) as at
  from rollouts
  where event = 'deployment.rollback'
  group by 1, 2, 3
) as rollback
where known.project_id = rollback.project_id
  and known.environment = rollback.environment
  and known.organization_id = rollback.organization_id;

update environments as known
set current_digest = current.digest
from (
  select
    rollout.id, rollout.organization_id,
    coalesce(
      'gitCommit:' || (coalesce(rollout.digest, gate.subject -> 'digest') ->> 'gitCommit'),
      'sha256:' || (coalesce(rollout.digest, gate.subject -> 'digest') ->> 'sha256')
    ) as digest
  from rollouts as rollout
  left join gates as gate on gate.id = rollout.gate_id and gate.organization_id = rollout.organization_id
) as current
where current.id = known.current_id and current.organization_id = known.organization_id;
