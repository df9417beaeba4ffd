-- What is approved, and the evidence for it. All of it is fixed when a gate opens: an approval is about what its approver has seen.
-- A gate may also belong to a project alone; nothing waits for it then.

alter table gates
  alter column execution_id drop not null,
  -- Where the subject may go after the approval. Names are those of hooks.
  add column environment     text check (length(environment) between 1 and 64),
  add column subject         jsonb check (jsonb_typeof(subject) = 'object'),
  add column evidence        jsonb check (jsonb_typeof(evidence) = 'object'),
  -- Those of the evidence, which can be fifteen times as large: lists and events read gates without them.
  add column artifacts       jsonb check (jsonb_typeof(artifacts) = 'array'),
  -- Questions to the approver.
  add column fields          jsonb not null default '[]' check (jsonb_typeof(fields) = 'array'),
  -- Rules that an environment adds.
  add column approvers       jsonb not null default '[]' check (jsonb_typeof(approvers) = 'array'),
  add column require_subject boolean not null default false,
  add column require_checks  boolean not null default false,
  add column require_passkey boolean not null default false,
  add column gate_required   boolean not null default false,
  -- The SHA-256 of what is fixed. Null for gates that were opened before it existed.
  add column binding         text check (binding ~ '^[0-9a-f]{64}$'),
  -- Of the last approver; null until the gate is approved.
  add column answers         jsonb check (jsonb_typeof(answers) = 'object'),
  -- Whether its approval triggers hooks; null until the gate is approved.
  add column triggers_hooks  boolean,
  -- The gate that replaced it, with another subject.
  add column superseded_by   uuid,
  add constraint gates_bound check (subject is null or binding is not null),
  add constraint gates_superseded check (superseded_by is null or status = 'cancelled'),
  add constraint gates_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade;

alter table gate_approvals
  add column answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object');

-- One pending gate for a subject per execution (or project), name and environment: "is there one, and which?".
create unique index gates_open_subject on gates (organization_id, project_id, execution_id, name, environment) nulls not distinct
  where status = 'pending' and subject is not null;

-- The gates that a gate replaced, whose notifications are then read.
create index gates_superseded_by on gates (superseded_by) where superseded_by is not null;

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
