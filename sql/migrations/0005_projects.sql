-- One row is a project. `requirement_count` numbers its requirements; it never goes down, so that a
-- number is never given twice.
create table projects (
  id                uuid primary key default uuidv7(),
  organization_id   uuid not null,
  workspace_id      uuid not null,
  name              text not null check (length(name) between 1 and 200),
  description       text check (length(description) <= 10000),
  repository_url    text check (length(repository_url) <= 2048),
  requirement_count integer not null default 0,
  created_by        uuid not null,
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now(),
  constraint projects_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade,
  -- What lies in a project repeats the whole way up to its organization, so that one look at the row
  -- tells whom it belongs to; this holds the three together.
  constraint projects_place_key unique (id, workspace_id, organization_id)
);

-- A workspace's projects, newest first.
create index projects_workspace on projects (workspace_id, created_at desc, id desc);

create trigger projects_touch before update of name, description, repository_url on projects
  for each row execute function touch();

-- One row is a piece of work that somebody wants done.
create table requirements (
  id                  uuid primary key default uuidv7(),
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
  constraint requirements_number_key unique (project_id, number),
  constraint requirements_place_key unique (id, project_id),
  constraint requirements_done check ((status = 'done') = (completed_at is not null)),
  constraint requirements_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- A project's requirements, newest first.
create index requirements_project on requirements (project_id, created_at desc, id desc);

create trigger requirements_touch before update on requirements
  for each row execute function touch();

-- One row is a move of a requirement from one status to another: the history that changelogs are made of.
create table requirement_changes (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null,
  requirement_id  uuid not null,
  project_id      uuid not null,
  from_status     text,
  to_status       text not null,
  changed_by      uuid not null,
  changed_at      timestamptz(3) not null default now(),
  foreign key (requirement_id, project_id) references requirements (id, project_id) on delete cascade
);

create index requirement_changes_requirement on requirement_changes (requirement_id, changed_at);
