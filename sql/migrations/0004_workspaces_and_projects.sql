-- One row is a workspace: a group of projects with members of its own. Rows inside it repeat its organization, and foreign keys
-- to (id, organization_id) keep the two consistent.
create table workspaces (
  id                       uuid not null default uuidv7(),
  organization_id          uuid not null references organizations on delete cascade,
  name                     text not null check (length(name) between 1 and 120),
  workspace_key            text not null,
  description              text check (length(description) <= 10000),
  owner_id                 uuid not null references users,
  budget_monthly_limit_usd usd,
  budget_alert_threshold   numeric not null default 0.80 check (budget_alert_threshold > 0 and budget_alert_threshold <= 1),
  budget_epoch             integer not null default 0,
  created_at               timestamptz(3) not null default now(),
  updated_at               timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint workspaces_workspace_key_key unique (organization_id, workspace_key)
);

-- An organization's workspaces, newest first.
create index workspaces_organization on workspaces (organization_id, created_at desc, id desc);

create trigger workspaces_touch before update on workspaces
  for each row execute function touch();

-- One row is a user's membership of a workspace; only members of its organization can have one.
create table workspace_members (
  workspace_id    uuid not null,
  organization_id uuid not null,
  user_id         uuid not null,
  role            text not null check (role in ('admin', 'member')),
  joined_at       timestamptz(3) not null default now(),
  primary key (workspace_id, user_id, organization_id),
  constraint workspace_members_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade,
  constraint workspace_members_organization foreign key (organization_id, user_id)
    references organization_members (organization_id, user_id) on delete cascade
);

-- A removed member of the organization leaves its workspaces.
create index workspace_members_user on workspace_members (organization_id, user_id);

-- A workspace's members, newest first.
create index workspace_members_joined on workspace_members (workspace_id, joined_at desc, user_id desc);

-- Who is notified of a gate or a budget: the few among many members.
create index workspace_members_admins on workspace_members (workspace_id, user_id) where role = 'admin';

-- One row is a project. `requirement_count` numbers its requirements; it never decreases, so that a number is never used twice.
create table projects (
  id                uuid not null default uuidv7(),
  organization_id   uuid not null,
  workspace_id      uuid not null,
  name              text not null check (length(name) between 1 and 200),
  description       text check (length(description) <= 10000),
  repository_url    text check (length(repository_url) <= 2048),
  requirement_count integer not null default 0,
  -- How the release that a published changelog makes is named.
  version_scheme    text not null default 'numbered' check (version_scheme in ('numbered', 'calver', 'semver')),
  -- Where to get help: a URL or an e-mail address.
  support           text check (length(support) between 1 and 200),
  created_by        uuid not null,
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now(),
  primary key (id, organization_id),
  -- Rows inside a project repeat its workspace and organization, so that each says to whom it belongs; foreign keys to this one
  -- keep the three consistent.
  constraint projects_place_key unique (id, workspace_id, organization_id),
  constraint projects_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade
);

-- A workspace's projects, newest first.
create index projects_workspace on projects (workspace_id, created_at desc, id desc);

create trigger projects_touch before update of name, description, repository_url, version_scheme, support on projects
  for each row execute function touch();

-- One row is a piece of work that is to be done.
create table requirements (
  id                  uuid not null default uuidv7(),
  organization_id     uuid not null,
  workspace_id        uuid not null,
  project_id          uuid not null,
  number              integer not null,
  title               text not null check (length(title) between 1 and 200),
  description         text check (length(description) <= 10000),
  kind                text not null default 'feature'
                        check (kind in ('feature', 'change', 'deprecation', 'removal', 'fix', 'security', 'docs', 'chore')),
  acceptance_criteria text[] not null default '{}' check (cardinality(acceptance_criteria) <= 50),
  status              text not null default 'open' check (status in ('open', 'in_progress', 'done', 'cancelled')),
  completed_at        timestamptz(3),
  created_by          uuid not null,
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint requirements_number_key unique (project_id, number, organization_id),
  constraint requirements_place_key unique (id, project_id, organization_id),
  constraint requirements_done check ((status = 'done') = (completed_at is not null)),
  constraint requirements_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- A project's requirements, newest first. It includes the organization, so that counting them reads the index alone.
create index requirements_project on requirements (project_id, created_at desc, id desc) include (organization_id);

-- The requirements of a project by status: how many there are, and those of one status, newest first.
create index requirements_status on requirements (project_id, status, created_at desc, id desc) include (organization_id);

create trigger requirements_touch before update on requirements
  for each row execute function touch();

-- One row is a change of a requirement's status: the history from which changelogs are made.
create table requirement_changes (
  id              uuid not null default uuidv7(),
  organization_id uuid not null,
  project_id      uuid not null,
  requirement_id  uuid not null,
  from_status     text,
  to_status       text not null,
  changed_by      uuid not null,
  changed_at      timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint requirement_changes_requirement foreign key (requirement_id, project_id, organization_id)
    references requirements (id, project_id, organization_id) on delete cascade
);

create index requirement_changes_requirement on requirement_changes (requirement_id, changed_at);

-- One row is the workflow template that was set for an organization, a workspace or a project; the built-in text is used where
-- there is none. A table of its own, so that setting a template does not change the version of what it belongs to.
create table workflow_templates (
  scope_id        uuid not null generated always as (coalesce(project_id, workspace_id, organization_id)) stored,
  organization_id uuid not null references organizations on delete cascade,
  workspace_id    uuid,
  project_id      uuid,
  template        text not null check (octet_length(template) between 1 and 262144),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (scope_id, organization_id),
  constraint workflow_templates_place check (project_id is null or workspace_id is not null),
  constraint workflow_templates_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade,
  constraint workflow_templates_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- A template is deleted with its organization or workspace.
create index workflow_templates_organization on workflow_templates (organization_id);
create index workflow_templates_workspace on workflow_templates (workspace_id) where workspace_id is not null;

create trigger workflow_templates_touch before update on workflow_templates
  for each row execute function touch();
