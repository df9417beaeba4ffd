-- How gates are decided: which approvals count, and outcomes beyond yes and no. Changes are requested, an owner or admin of the
-- organization overrides what is missing and another one reviews that, and an approval is revoked.

-- Tokens from before cannot decide: scripts that approve need a token that was made to.
alter table personal_tokens
  drop constraint personal_tokens_scope_check,
  add constraint personal_tokens_scope_check check (scope in ('read', 'write', 'decide'));

-- An approval of someone who has lost the role, or left the group or the organization, stays on record and does not count. That is found
-- with the people of today while the gate is pending, and kept when it is decided. Null until then.
alter table gate_approvals
  add column counted boolean;

-- Whether the approvals of a gate that count now are enough: as many as required and, where the gate names groups, so many members of
-- each, of whom each counts for one group alone.
create function has_enough_approvals(
  of_gate uuid, in_organization uuid, in_workspace uuid, approvers jsonb, required_approvals integer
) returns boolean
  language sql
  as $$
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
  $$;

alter table gates
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
  drop constraint gates_status_check,
  add constraint gates_status_check
    check (status in ('pending', 'approved', 'rejected', 'changes_requested', 'cancelled', 'expired')),
  drop constraint gates_decided_via_check,
  add constraint gates_decided_via_check check (decided_via in ('api', 'app', 'slack', 'mail', 'override')),
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
  add constraint gates_revoked_approval check (revoked_at is null or status = 'approved');

-- Overrides that nobody has reviewed: for the page of what needs a person, and of those whose review is due.
create index gates_unreviewed on gates (organization_id, decided_at) where decided_via = 'override' and reviewed_at is null;
create index gates_review_due_at on gates (review_due_at) where review_due_at is not null;

-- The decisions on an execution's gates of one name, newest first: "how often were changes requested in a row?".
create index gates_decided on gates (execution_id, name, decided_at desc, id desc)
  where status not in ('pending', 'cancelled');

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
