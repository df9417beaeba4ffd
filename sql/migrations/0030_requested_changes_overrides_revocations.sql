-- Outcomes of gates beyond yes and no: changes are requested, an owner or admin of the organization overrides what is missing and
-- another one reviews that, and an approval is revoked.

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
  drop constraint gates_status_check,
  add constraint gates_status_check
    check (status in ('pending', 'approved', 'rejected', 'changes_requested', 'cancelled', 'expired')),
  drop constraint gates_decided_via_check,
  add constraint gates_decided_via_check check (decided_via in ('api', 'app', 'slack', 'mail', 'override')),
  -- Whoever requests changes says which, and whoever overrides says why.
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

-- As before, and: requesting changes is a decision like a rejection; an override needs neither approvals nor a way that is allowed.
create or replace function check_gate_decision() returns trigger
  language plpgsql as $$
declare
  approvals integer;
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
  if new.status = 'approved' and new.decided_via <> 'override' then
    select count(*) into approvals
    from gate_approvals
    where gate_id = new.id
      and organization_id = new.organization_id;
    if approvals < new.required_approvals then
      raise exception 'violated constraint "gates_approvals_missing": approvals are missing'
        using errcode = 'check_violation', constraint = 'gates_approvals_missing';
    end if;
  end if;
  return new;
end $$;

-- Two more types of notifications, in the app and by mail as the others.
alter table notifications
  drop constraint notifications_type_check,
  add constraint notifications_type_check check (type in (
    'gate_pending', 'changes_requested', 'gate_overridden', 'execution_completed', 'execution_failed',
    'budget_alert', 'invitation_received', 'member_added', 'deployment_failed'
  ));
