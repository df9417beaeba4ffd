-- One row is one agent's go at a requirement.
create table executions (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  requirement_id  uuid not null,
  graph_id        uuid not null default uuidv7(),
  agent           text not null check (length(agent) between 1 and 120),
  runtime_id      uuid,
  status          text not null default 'queued'
                    check (status in ('queued', 'running', 'awaiting_gate', 'completed', 'failed', 'cancelled')),
  summary         text check (length(summary) <= 10000),
  error           text check (length(error) <= 10000),
  cost_usd        numeric(15, 6) check (cost_usd >= 0),
  metrics         jsonb not null default '{}' check (jsonb_typeof(metrics) = 'object'),
  artifacts       jsonb not null default '[]' check (jsonb_typeof(artifacts) = 'array'),
  created_by      uuid not null,
  started_by      uuid,
  started_at      timestamptz(3),
  finished_at     timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  constraint executions_place_key unique (id, project_id, workspace_id, organization_id),
  constraint executions_finished check ((status in ('completed', 'failed', 'cancelled')) = (finished_at is not null)),
  constraint executions_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  constraint executions_requirement foreign key (requirement_id, project_id)
    references requirements (id, project_id) on delete cascade,
  constraint executions_runtime foreign key (runtime_id, organization_id)
    references runtimes (id, organization_id) on delete set null (runtime_id)
);

-- A requirement's executions, newest first.
create index executions_requirement on executions (requirement_id, created_at desc, id desc);

-- "Is anything of this workflow graph still unfinished?", asked whenever an execution ends.
create index executions_graph on executions (project_id, graph_id);

create index executions_runtime on executions (runtime_id) where runtime_id is not null;

create trigger executions_touch before update on executions
  for each row execute function touch();

-- One row is a question to a person; its execution waits for the answer.
create table gates (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  execution_id    uuid not null,
  name            text not null check (length(name) between 1 and 200),
  description     text check (length(description) <= 10000),
  status          text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  comment         text check (length(comment) <= 10000),
  created_by      uuid not null,
  decided_by      uuid,
  decided_at      timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  constraint gates_execution foreign key (execution_id, project_id, workspace_id, organization_id)
    references executions (id, project_id, workspace_id, organization_id) on delete cascade
);

-- An execution's gates, and "is one of them still pending?".
create index gates_execution on gates (execution_id, created_at desc, id desc);

-- What waits for a decision in a project.
create index gates_project on gates (project_id, status, created_at desc, id desc);

create trigger gates_touch before update on gates
  for each row execute function touch();
