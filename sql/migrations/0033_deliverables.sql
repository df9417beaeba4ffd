-- One row is the OpenAPI document of what a project builds: the text as it came, which GET gives back, and the parsed
-- document, which its documentation is made from.
create table api_descriptions (
  project_id      uuid primary key,
  organization_id uuid not null,
  workspace_id    uuid not null,
  content_type    text not null check (content_type in ('application/json', 'application/yaml')),
  source          text not null check (octet_length(source) <= 1048576),
  document        text not null,
  title           text not null,
  version         text not null,
  operation_count integer not null check (operation_count >= 0),
  updated_at      timestamptz(3) not null default now(),
  constraint api_descriptions_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

create trigger api_descriptions_touch before update on api_descriptions
  for each row execute function touch();

-- How many documents a project had of one type, as a whole or of one requirement: versions count up, and the number of
-- one that was deleted is not given again. The nil UUID stands for "the whole project".
create table deliverable_versions (
  organization_id  uuid not null,
  workspace_id     uuid not null,
  project_id       uuid not null,
  deliverable_type text not null,
  requirement_id   uuid not null default '00000000-0000-0000-0000-000000000000',
  version          integer not null,
  primary key (project_id, deliverable_type, requirement_id),
  constraint deliverable_versions_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- One row is a document made from what a project did.
create table deliverables (
  id               uuid primary key default uuidv7(),
  organization_id  uuid not null,
  workspace_id     uuid not null,
  project_id       uuid not null,
  requirement_id   uuid,
  deliverable_type text not null check (
    deliverable_type in ('changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual')
  ),
  title            text not null,
  status           text not null default 'generating'
                     check (status in ('generating', 'draft', 'published', 'archived', 'failed')),
  version          integer not null check (version >= 1),
  content          text,
  generator        text not null default 'template/1',
  source           jsonb,
  error            text,
  request_id       text,
  created_by       uuid not null,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  published_at     timestamptz(3),
  archived_at      timestamptz(3),
  constraint deliverables_place_key unique (id, project_id, workspace_id, organization_id),
  constraint deliverables_content check ((status in ('draft', 'published', 'archived')) = (content is not null)),
  constraint deliverables_error check ((status = 'failed') = (error is not null)),
  constraint deliverables_archived check ((status = 'archived') = (archived_at is not null)),
  constraint deliverables_published check (status <> 'published' or published_at is not null),
  constraint deliverables_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  constraint deliverables_requirement foreign key (requirement_id, project_id)
    references requirements (id, project_id) on delete cascade
);

-- A project's documents, newest first, perhaps of one type.
create index deliverables_project on deliverables (project_id, created_at desc, id desc);
create index deliverables_type on deliverables (project_id, deliverable_type, created_at desc, id desc);
create index deliverables_requirement on deliverables (requirement_id) where requirement_id is not null;

-- The quota of what a project has queued.
create index deliverables_generating on deliverables (project_id) where status = 'generating';

create trigger deliverables_touch before update on deliverables
  for each row execute function touch();
