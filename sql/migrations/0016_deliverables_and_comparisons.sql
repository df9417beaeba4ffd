-- One row is the OpenAPI document of what a project builds: the text as it was sent, which GET returns, and the parsed
-- document, from which its documentation is generated.
create table api_descriptions (
  project_id      uuid not null,
  organization_id uuid not null,
  workspace_id    uuid not null,
  content_type    text not null check (content_type in ('application/json', 'application/yaml')),
  source          text not null check (octet_length(source) <= 1048576),
  document        text not null,
  title           text not null,
  version         text not null,
  operation_count integer not null check (operation_count >= 0),
  updated_at      timestamptz(3) not null default now(),
  primary key (project_id, organization_id),
  constraint api_descriptions_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

create trigger api_descriptions_touch before update on api_descriptions
  for each row execute function touch();

-- One row is how many documents of one type a project had, as a whole or for one requirement: versions count up, and the number
-- of a deleted document is not used again. The nil UUID means "the whole project".
create table deliverable_versions (
  organization_id  uuid not null,
  workspace_id     uuid not null,
  project_id       uuid not null,
  deliverable_type text not null,
  requirement_id   uuid not null default '00000000-0000-0000-0000-000000000000',
  version          integer not null,
  primary key (project_id, deliverable_type, requirement_id, organization_id),
  constraint deliverable_versions_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- One row is a document generated from a project's data.
create table deliverables (
  id               uuid not null default uuidv7(),
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
  -- The nodes of the document as JSON, in parts that follow each other: parsing Markdown takes long, and is done once.
  parts            text[],
  -- The API description that an API documentation was generated from, as parsed JSON. Once the documentation is published, later
  -- ones list what has changed since.
  api_description  text check (api_description is null or deliverable_type = 'api_docs'),
  generator        text not null default 'template/1',
  source           jsonb,
  error            text,
  request_id       text,
  created_by       uuid not null,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  published_at     timestamptz(3),
  archived_at      timestamptz(3),
  primary key (id, organization_id),
  constraint deliverables_place_key unique (id, project_id, workspace_id, organization_id),
  constraint deliverables_content check ((status in ('draft', 'published', 'archived')) = (content is not null)),
  constraint deliverables_parts check ((content is null) = (parts is null)),
  constraint deliverables_error check ((status = 'failed') = (error is not null)),
  constraint deliverables_archived check ((status = 'archived') = (archived_at is not null)),
  constraint deliverables_published check (status <> 'published' or published_at is not null),
  constraint deliverables_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  constraint deliverables_requirement foreign key (requirement_id, project_id, organization_id)
    references requirements (id, project_id, organization_id) on delete cascade
);

-- A project's documents, newest first, of all types or of one.
create index deliverables_project on deliverables (project_id, created_at desc, id desc);
create index deliverables_type on deliverables (project_id, deliverable_type, created_at desc, id desc);

-- Documents are deleted with their requirement.
create index deliverables_requirement on deliverables (requirement_id) where requirement_id is not null;

-- How many a project has queued, which is limited.
create index deliverables_generating on deliverables (project_id) where status = 'generating';

create trigger deliverables_touch before update on deliverables for each row execute function touch();

-- One row is a comparison of two tracks of one requirement; a track is all executions of that requirement with its graph_id. A
-- judge recommends, and a person decides the winner.
create table dual_track_comparisons (
  id               uuid not null default uuidv7(),
  organization_id  uuid not null,
  workspace_id     uuid not null,
  project_id       uuid not null,
  work_item_id     uuid not null,
  track_a_graph_id uuid not null,
  track_b_graph_id uuid not null,
  track_a_agent    text not null check (length(track_a_agent) between 1 and 120),
  track_b_agent    text not null check (length(track_b_agent) between 1 and 120),
  status           text not null default 'created'
                     check (status in ('created', 'comparing', 'compared', 'failed', 'decided', 'cancelled')),
  result           jsonb check (jsonb_typeof(result) = 'object'),
  winner           text check (winner in ('a', 'b', 'tie')),
  decided_by       uuid,
  decided_at       timestamptz(3),
  error            text,
  -- Counts the runs, so that the result of an earlier run is not recorded.
  run              integer not null default 0,
  -- The responses of the model in this run, by the order in which it saw the tracks: another worker that takes over the run
  -- pays for none of them again.
  model_answers    jsonb not null default '{}' check (jsonb_typeof(model_answers) = 'object'),
  -- What this run has cost so far.
  cost_usd         usd not null default 0,
  -- The request that started this run: it correlates log lines and events.
  request_id       text,
  created_by       uuid not null,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint dual_track_comparisons_two_tracks check (track_a_graph_id <> track_b_graph_id),
  constraint dual_track_comparisons_decided check (
    (status = 'decided') = (winner is not null)
    and (status = 'decided') = (decided_by is not null)
    and (status = 'decided') = (decided_at is not null)
  ),
  constraint dual_track_comparisons_compared check (status <> 'compared' or result is not null),
  constraint dual_track_comparisons_comparing check (status not in ('created', 'comparing') or result is null),
  constraint dual_track_comparisons_failed check (status <> 'failed' or error is not null),
  constraint dual_track_comparisons_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  constraint dual_track_comparisons_work_item foreign key (work_item_id, project_id, organization_id)
    references requirements (id, project_id, organization_id) on delete cascade
);

-- A project's comparisons, newest first.
create index dual_track_comparisons_project on dual_track_comparisons (project_id, created_at desc, id desc);

-- Comparisons are deleted with their requirement.
create index dual_track_comparisons_work_item on dual_track_comparisons (work_item_id);

-- What the model responds on the way is not shown, so it keeps the version: an `If-Match` must still hold.
create trigger dual_track_comparisons_touch
  before update of status, result, winner, decided_by, decided_at, error
  on dual_track_comparisons
  for each row execute function touch();
