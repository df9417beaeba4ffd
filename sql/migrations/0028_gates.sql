-- What is approved, the evidence for it, and how gates are decided. What a gate is about is fixed when it opens: an approval is about what
-- its approver has seen. A gate may also belong to a project alone; nothing waits for it then. Beyond yes and no, changes are requested, an
-- owner or admin of the organization overrides what is missing and another one reviews that, and an approval is revoked.

alter table gates
  alter column execution_id drop not null,
  -- Where the subject may go after the approval. Names are those of hooks.
  add column environment       text check (length(environment) between 1 and 64),
  add column subject           jsonb check (jsonb_typeof(subject) = 'object'),
  add column evidence          jsonb check (jsonb_typeof(evidence) = 'object'),
  -- Those of the evidence, which can be fifteen times as large: lists and events read gates without them.
  add column artifacts         jsonb check (jsonb_typeof(artifacts) = 'array'),
  -- Questions to the approver.
  add column fields            jsonb not null default '[]' check (jsonb_typeof(fields) = 'array'),
  -- Rules that an environment adds.
  add column approvers         jsonb not null default '[]' check (jsonb_typeof(approvers) = 'array'),
  add column require_subject   boolean not null default false,
  add column require_checks    boolean not null default false,
  add column require_passkey   boolean not null default false,
  add column gate_required     boolean not null default false,
  -- The SHA-256 of what is fixed. Null for gates that were opened before it existed.
  add column binding           text check (binding ~ '^[0-9a-f]{64}$'),
  -- Of the last approver; null until the gate is approved.
  add column answers           jsonb check (jsonb_typeof(answers) = 'object'),
  -- Whether its approval triggers hooks; null until the gate is approved.
  add column triggers_hooks    boolean,
  -- The gate that replaced it, with another subject.
  add column superseded_by     uuid,
  -- Of an override.
  add column incident_url      text check (length(incident_url) <= 2048),
  -- When `gate.review_due` is to be emitted; null if never, or if it was.
  add column review_due_at     timestamptz(3),
  add column reviewed_by       uuid,
  add column reviewed_at       timestamptz(3),
  add column review_comment    text check (length(review_comment) <= 10000),
  add column revoked_by        uuid,
  add column revoked_at        timestamptz(3),
  add column revocation_reason text check (length(revocation_reason) between 1 and 10000),
  -- The dispatches that could no longer be cancelled: an array of { id, hook_id, hook_name }.
  add column revoked_in_flight jsonb check (jsonb_typeof(revoked_in_flight) = 'array'),
  -- What an override was confirmed with; null: with nothing. With `require_passkey`, it needs a proof that the person was present, as every
  -- approval does.
  add column override_proof    text check (override_proof in ('passkey')),
  drop constraint gates_status_check,
  add constraint gates_status_check
    check (status in ('pending', 'approved', 'rejected', 'changes_requested', 'cancelled', 'expired')),
  drop constraint gates_decided_via_check,
  add constraint gates_decided_via_check check (decided_via in ('api', 'app', 'slack', 'mail', 'override')),
  add constraint gates_bound check (subject is null or binding is not null),
  add constraint gates_superseded check (superseded_by is null or status = 'cancelled'),
  add constraint gates_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  -- A request for changes says which, and an override why.
  add constraint gates_explained
    check (comment is not null or status <> 'changes_requested' and decided_via is distinct from 'override'),
  add constraint gates_overridden
    check (decided_via is distinct from 'override' or status = 'approved' and decided_by is not null),
  add constraint gates_override_only
    check (decided_via is not distinct from 'override' or num_nonnulls(incident_url, review_due_at, reviewed_at) = 0),
  add constraint gates_reviewed check ((reviewed_by is null) = (reviewed_at is null)),
  add constraint gates_reviewed_by_another check (reviewed_by <> decided_by),
  add constraint gates_revoked check (num_nonnulls(revoked_by, revoked_at, revocation_reason) in (0, 3)),
  add constraint gates_revoked_approval check (revoked_at is null or status = 'approved'),
  add constraint gates_override_proof check (
    case when decided_via is not distinct from 'override'
      then override_proof is not null or not require_passkey
      else override_proof is null
    end
  );

alter table gate_approvals
  add column answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
  -- An approval of someone who has lost the role, or left the group or the organization, stays on record and does not count. That is found
  -- with the people of today while the gate is pending, and kept when it is decided. Null until then.
  add column counted boolean,
  -- What the approver confirmed with; null: with nothing.
  add column proof   text check (proof in ('passkey'));

-- One pending gate for a subject per execution (or project), name and environment: "is there one, and which?".
create unique index gates_open_subject on gates (organization_id, project_id, execution_id, name, environment) nulls not distinct
  where status = 'pending' and subject is not null;

-- The gates that a gate replaced, whose notifications are then read.
create index gates_superseded_by on gates (superseded_by) where superseded_by is not null;

-- Overrides without a review: for the page of what needs a person, and of those whose review is due.
create index gates_unreviewed on gates (organization_id, decided_at) where decided_via = 'override' and reviewed_at is null;
create index gates_review_due_at on gates (review_due_at) where review_due_at is not null;

-- The decisions on an execution's gates of one name, newest first: "how often were changes requested in a row?".
create index gates_decided on gates (execution_id, name, decided_at desc, id desc)
  where status not in ('pending', 'cancelled');

-- The gates of a project in any state, newest first, part by part: without it each part sorted all of them.
create index gates_newest on gates (project_id, created_at desc, id desc);

-- Nothing may move what people approve, whatever path a statement takes.
create function refuse_gate_change() returns trigger
  language plpgsql as $$
begin
  raise exception 'violated constraint "gates_fixed": what a gate asks for cannot change'
    using errcode = 'check_violation', constraint = 'gates_fixed';
end $$;

create trigger gates_fixed
  before update of
    project_id, environment, subject, evidence, artifacts, fields, binding, required_approvals, prevent_self_approval,
    decide_via, expires_at, approvers, require_subject, require_checks, require_passkey, gate_required
  on gates
  for each row when (
    (
      old.project_id, old.environment, old.subject, old.evidence, old.artifacts, old.fields, old.binding,
      old.required_approvals, old.prevent_self_approval, old.decide_via, old.expires_at, old.approvers, old.require_subject,
      old.require_checks, old.require_passkey, old.gate_required
    ) is distinct from (
      new.project_id, new.environment, new.subject, new.evidence, new.artifacts, new.fields, new.binding,
      new.required_approvals, new.prevent_self_approval, new.decide_via, new.expires_at, new.approvers, new.require_subject,
      new.require_checks, new.require_passkey, new.gate_required
    )
  )
  execute function refuse_gate_change();

-- A decision stands, and so do its review and its revocation. (That a status changes once is what `check_gate_decision` says.)
create function refuse_other_gate_outcome() returns trigger
  language plpgsql
  as $$
    begin
      raise exception 'violated constraint "gates_outcome_once": the outcome of a gate cannot change'
        using errcode = 'check_violation', constraint = 'gates_outcome_once';
    end
  $$;

create trigger gates_outcome_once
  before update of comment, answers, decided_by, decided_via, incident_url on gates
  for each row when (
    old.status <> 'pending'
    and (old.comment, old.answers, old.decided_by, old.decided_via, old.incident_url)
      is distinct from (new.comment, new.answers, new.decided_by, new.decided_via, new.incident_url)
  )
  execute function refuse_other_gate_outcome();

create trigger gates_reviewed_once
  before update of reviewed_by, reviewed_at, review_comment on gates
  for each row when (
    old.reviewed_at is not null
    and (old.reviewed_by, old.reviewed_at, old.review_comment)
      is distinct from (new.reviewed_by, new.reviewed_at, new.review_comment)
  )
  execute function refuse_other_gate_outcome();

create trigger gates_revoked_once
  before update of revoked_by, revoked_at, revocation_reason on gates
  for each row when (
    old.revoked_at is not null
    and (old.revoked_by, old.revoked_at, old.revocation_reason)
      is distinct from (new.revoked_by, new.revoked_at, new.revocation_reason)
  )
  execute function refuse_other_gate_outcome();

-- A proof stands, as the approval does.
create trigger gate_approvals_proof before update of proof on gate_approvals
  for each row when (old.proof is distinct from new.proof) execute function refuse_other_gate_outcome();

create trigger gates_override_proof before update of override_proof on gates
  for each row when (old.status <> 'pending' and old.override_proof is distinct from new.override_proof)
  execute function refuse_other_gate_outcome();

-- Whether the approvals of a gate that count now are enough: as many as required and, where the gate names groups, so many members of
-- each, of whom each counts for one group alone.
create function has_enough_approvals(
  of_gate uuid, in_organization uuid, in_workspace uuid, approvers jsonb, required_approvals integer
) returns boolean
  language plpgsql
  as $$
    begin
      return (
        with rule as (
          -- A rule is a bit, and a set of rules the sum of their bits.
          select (value ->> 'group_id')::uuid as group_id, (value ->> 'count')::integer as count, 1 << (position::integer - 1) as bit
          from jsonb_array_elements(approvers) with ordinality as listed (value, position)
        ),
        approver as (
          select
            approval.user_id,
            -- The rules for which this person can count.
            coalesce(
              (
                select bit_or(rule.bit)
                from rule
                join group_members as grouped
                  on grouped.group_id = rule.group_id
                  and grouped.organization_id = in_organization
                  and grouped.user_id = approval.user_id
              ),
              0
            ) as rules
          from gate_approvals as approval
          join organization_members as member
            on member.organization_id = in_organization
            and member.user_id = approval.user_id
          left join workspace_members as inside
            on inside.workspace_id = in_workspace
            and inside.organization_id = in_organization
            and inside.user_id = approval.user_id
          where approval.gate_id = of_gate
            and approval.organization_id = in_organization
            and (
              member.role in ('owner', 'admin')
              or inside.role = 'admin'
              or (approvers <> '[]' and inside.user_id is not null)
            )
        )
        select
          required_approvals <= (select count(*) from approver where approvers = '[]' or rules <> 0)
          -- Hall's theorem: people can be assigned to all rules if and only if no set of rules needs more people than there are who fit one of
          -- them. There are at most 6 rules, so at most 63 sets.
          and not exists (
            select 1
            from generate_series(1, (1 << jsonb_array_length(approvers)) - 1) as rule_set
            where (select sum(count) from rule where bit & rule_set <> 0)
              > (select count(*) from approver where rules & rule_set <> 0)
          )
      );
    end
  $$;

-- The rule of 0017 with what has been added since: a request for changes is a decision like a rejection; an approval needs approvals
-- that count; an override needs neither them nor a way that is allowed.
create or replace function check_gate_decision() returns trigger
  language plpgsql as $$
begin
  if old.status <> 'pending' then
    raise exception 'violated constraint "gates_decided_once": the gate was decided before'
      using errcode = 'check_violation', constraint = 'gates_decided_once';
  end if;
  if new.status = 'expired' and (old.expires_at is null or old.expires_at > clock_timestamp()) then
    raise exception 'violated constraint "gates_not_expired": the gate has not expired'
      using errcode = 'check_violation', constraint = 'gates_not_expired';
  end if;
  if new.status in ('approved', 'rejected', 'changes_requested') then
    if not gate_is_open(old.status, old.expires_at) then
      raise exception 'violated constraint "gates_expired": the gate has expired'
        using errcode = 'check_violation', constraint = 'gates_expired';
    end if;
    if new.decided_via is null or not (new.decided_via = 'override' or new.decided_via = any (old.decide_via)) then
      raise exception 'violated constraint "gates_decided_via": the gate cannot be decided this way'
        using errcode = 'check_violation', constraint = 'gates_decided_via';
    end if;
  end if;
  if new.status = 'approved'
    and new.decided_via <> 'override'
    and not has_enough_approvals(new.id, new.organization_id, new.workspace_id, new.approvers, new.required_approvals)
  then
    raise exception 'violated constraint "gates_approvals_missing": approvals are missing'
      using errcode = 'check_violation', constraint = 'gates_approvals_missing';
  end if;
  return new;
end $$;

-- As before, and an approval has the proof that its gate requires.
create or replace function check_gate_approval() returns trigger
  language plpgsql as $$
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
  if gate.prevent_self_approval and new.user_id in (gate.created_by, starter) then
    raise exception 'violated constraint "gate_approvals_self": self-approval is not allowed'
      using errcode = 'check_violation', constraint = 'gate_approvals_self';
  end if;
  if gate.require_passkey and new.proof is null then
    raise exception 'violated constraint "gate_approvals_proof": the gate requires a passkey'
      using errcode = 'check_violation', constraint = 'gate_approvals_proof';
  end if;
  return new;
end $$;
