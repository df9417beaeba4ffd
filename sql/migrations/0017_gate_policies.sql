-- How many people must approve a gate, who may, how, and until when. A workspace holds the policy for new gates; each gate keeps
-- a copy, so that a later change of the policy does not affect it.

alter table workspaces
  add column gate_required_approvals      integer not null default 1
    check (gate_required_approvals between 1 and 10),
  add column gate_prevent_self_approval   boolean not null default false,
  add column gate_expires_in_seconds      integer
    check (gate_expires_in_seconds between 60 and 2592000),
  add column gate_decide_via              text[] not null default '{api,app,slack,mail}'
    check (cardinality(gate_decide_via) > 0 and gate_decide_via <@ '{api,app,slack,mail}');

alter table gates
  add column required_approvals    integer not null default 1 check (required_approvals between 1 and 10),
  add column prevent_self_approval boolean not null default false,
  add column decide_via            text[] not null default '{api,app,slack,mail}'
    check (cardinality(decide_via) > 0 and decide_via <@ '{api,app,slack,mail}'),
  add column decided_via           text check (decided_via in ('api', 'app', 'slack', 'mail')),
  add column expires_at            timestamptz(3),
  -- When `gate.expiring` is to be emitted; null if never, or if it was.
  add column remind_at             timestamptz(3),
  drop constraint gates_status_check,
  add constraint gates_status_check check (status in ('pending', 'approved', 'rejected', 'cancelled', 'expired'));

-- Gates whose reminder or expiry is due: a worker reads them every second.
create index gates_remind_at on gates (remind_at) where status = 'pending' and remind_at is not null;
create index gates_expires_at on gates (expires_at) where status = 'pending' and expires_at is not null;

-- One row is the approval of a gate by one person.
create table gate_approvals (
  gate_id         uuid not null,
  organization_id uuid not null,
  user_id         uuid not null,
  comment         text check (length(comment) <= 10000),
  via             text not null check (via in ('api', 'app', 'slack', 'mail')),
  created_at      timestamptz(3) not null default now(),
  primary key (gate_id, organization_id, user_id),
  constraint gate_approvals_gate foreign key (gate_id, organization_id)
    references gates (id, organization_id) on delete cascade
);

-- The rules of a gate hold whatever path a statement takes. The API checks them first, to explain a refusal; it locks the
-- execution, so that the decisions on its gates happen one after the other.

-- `clock_timestamp()`, not `now()`: a transaction may have waited for the lock past the expiry.
create function gate_is_open(status text, expires_at timestamptz) returns boolean
  language sql volatile
  return status = 'pending' and (expires_at is null or expires_at > clock_timestamp());

create function check_gate_approval() returns trigger
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
  return new;
end $$;

create trigger gate_approvals_check before insert on gate_approvals
  for each row execute function check_gate_approval();

create function check_gate_decision() returns trigger
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
  if new.status in ('approved', 'rejected') then
    if not gate_is_open(old.status, old.expires_at) then
      raise exception 'violated constraint "gates_expired": the gate has expired'
        using errcode = 'check_violation', constraint = 'gates_expired';
    end if;
    if new.decided_via is null or not new.decided_via = any (old.decide_via) then
      raise exception 'violated constraint "gates_decided_via": the gate cannot be decided this way'
        using errcode = 'check_violation', constraint = 'gates_decided_via';
    end if;
  end if;
  if new.status = 'approved' then
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

create trigger gates_check_decision before update on gates
  for each row when (old.status is distinct from new.status) execute function check_gate_decision();
