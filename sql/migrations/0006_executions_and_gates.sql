-- One row is a daemon that runs agents for an organization. It outlives the account of its owner, so the owner is no foreign
-- key; id and name stay as they were.
create table runtimes (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  name            text not null check (length(name) between 1 and 120),
  hostname        text not null check (length(hostname) between 1 and 253),
  agents          text[] not null default '{}',
  owner_id        uuid not null,
  owner_name      text,
  last_heartbeat  timestamptz(3) not null default now(),
  -- When `runtime.offline` was emitted; null while the runtime counts as online.
  offline_at      timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (id, organization_id)
);

create index runtimes_organization on runtimes (organization_id, created_at desc, id desc);

-- Runtimes that stopped sending heartbeats and are not marked offline yet: the workers look for them every few seconds.
create index runtimes_online on runtimes (last_heartbeat) where offline_at is null;

-- One row is one run of an agent on a requirement.
create table executions (
  id              uuid not null default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  requirement_id  uuid not null,
  -- The workflow that it is part of: all executions with the same graph_id. `workflow.completed` is emitted when the last of
  -- them has ended and the newest of each requirement is completed.
  graph_id        uuid not null default uuidv7(),
  agent           text not null check (length(agent) between 1 and 120),
  runtime_id      uuid,
  status          text not null default 'queued'
                    check (status in ('queued', 'running', 'awaiting_gate', 'completed', 'failed', 'cancelled')),
  summary         text check (length(summary) <= 10000),
  error           text check (length(error) <= 10000),
  cost_usd        usd,
  metrics         jsonb not null default '{}' check (jsonb_typeof(metrics) = 'object'),
  artifacts       jsonb not null default '[]' check (jsonb_typeof(artifacts) = 'array'),
  created_by      uuid not null,
  started_by      uuid,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  started_at      timestamptz(3),
  finished_at     timestamptz(3),
  primary key (id, organization_id),
  constraint executions_place_key unique (id, project_id, workspace_id, organization_id),
  constraint executions_finished check ((status in ('completed', 'failed', 'cancelled')) = (finished_at is not null)),
  constraint executions_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  constraint executions_requirement foreign key (requirement_id, project_id, organization_id)
    references requirements (id, project_id, organization_id) on delete cascade,
  constraint executions_runtime foreign key (runtime_id, organization_id)
    references runtimes (id, organization_id) on delete set null (runtime_id)
);

-- A requirement's executions, newest first. It includes the organization, so that counting them reads the index alone.
create index executions_requirement on executions (requirement_id, created_at desc, id desc) include (organization_id);

-- The executions of a project that have not ended, newest first, for its page.
create index executions_unfinished on executions (project_id, created_at desc, id desc)
  where status in ('queued', 'running', 'awaiting_gate');

-- "Is any execution of this graph unfinished?", asked whenever one ends.
create index executions_graph on executions (project_id, graph_id);

-- The executions of a runtime that is deleted.
create index executions_runtime on executions (runtime_id) where runtime_id is not null;

create trigger executions_touch before update on executions
  for each row execute function touch();

-- One row is a question to a person; its execution waits for the decision.
create table gates (
  id              uuid not null default uuidv7(),
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
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  decided_at      timestamptz(3),
  primary key (id, organization_id),
  constraint gates_execution foreign key (execution_id, project_id, workspace_id, organization_id)
    references executions (id, project_id, workspace_id, organization_id) on delete cascade
);

-- An execution's gates, and "is one of them pending?".
create index gates_execution on gates (execution_id, created_at desc, id desc);

-- The gates of a project that wait for a decision.
create index gates_project on gates (project_id, status, created_at desc, id desc);

create trigger gates_touch before update on gates
  for each row execute function touch();
