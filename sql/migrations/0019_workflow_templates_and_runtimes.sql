-- One row is the workflow template that was set for an organization, a workspace or a project. Where there is none, the
-- built-in text holds. Apart from those tables, so that a template is no change of what it belongs to.
create table workflow_templates (
  place_id        uuid primary key generated always as (coalesce(project_id, workspace_id, organization_id)) stored,
  organization_id uuid not null references organizations on delete cascade,
  workspace_id    uuid,
  project_id      uuid,
  template        text not null check (octet_length(template) between 1 and 262144),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  constraint workflow_templates_place check (project_id is null or workspace_id is not null),
  constraint workflow_templates_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade,
  constraint workflow_templates_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- What is deleted takes its templates with it.
create index workflow_templates_organization on workflow_templates (organization_id);
create index workflow_templates_workspace on workflow_templates (workspace_id) where workspace_id is not null;

create trigger workflow_templates_touch before update on workflow_templates
  for each row execute function touch();

-- A runtime outlives the account of its owner, whose id and name in it stay as they were.
alter table runtimes
  drop constraint if exists runtimes_owner_id_fkey,
  add column if not exists owner_name text,
  -- When `runtime.offline` was told; null while it counts as online.
  add column offline_at timestamptz(3);

update runtimes set owner_name = users.name from users where users.id = runtimes.owner_id;

-- Who has been silent for too long and is not known to be: what the workers look for every few seconds.
create index runtimes_online on runtimes (last_heartbeat) where offline_at is null;
