-- Proofs that the person who approved a gate was present: with `require_passkey`, every approval and override needs one.

alter table gate_approvals
  -- What the approver confirmed with; null: with nothing.
  add column proof text check (proof in ('passkey'));

alter table gates
  -- The same of an override.
  add column override_proof text check (override_proof in ('passkey')),
  add constraint gates_override_proof check (
    case when decided_via is not distinct from 'override'
      then override_proof is not null or not require_passkey
      else override_proof is null
    end
  );

-- A proof stands, as the approval does.
create trigger gate_approvals_proof before update of proof on gate_approvals
  for each row when (old.proof is distinct from new.proof) execute function refuse_other_gate_outcome();

create trigger gates_override_proof before update of override_proof on gates
  for each row when (old.status <> 'pending' and old.override_proof is distinct from new.override_proof)
  execute function refuse_other_gate_outcome();

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
