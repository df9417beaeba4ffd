-- One row is a CI/CD system that wants to be told. `secret` and `headers` are sealed by the
-- application (AES-256-GCM); the names of the headers are no secret, and are kept to be shown.
create table deployment_hooks (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  name            text not null check (length(name) between 1 and 120),
  url             text not null check (length(url) <= 2048),
  secret          bytea,
  trigger_on      text not null check (trigger_on in ('workflow_done', 'gate_approved')),
  environment     text not null default 'production' check (length(environment) between 1 and 64),
  headers         bytea,
  header_names    text[] not null default '{}',
  enabled         boolean not null default true,
  disabled_reason text,
  created_by      uuid not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  constraint deployment_hooks_reason check (not enabled or disabled_reason is null),
  constraint deployment_hooks_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade,
  constraint deployment_hooks_place_key unique (id, project_id, workspace_id, organization_id)
);

-- A project's hooks, newest first; the drain looks here for those that an event concerns.
create index deployment_hooks_project on deployment_hooks (project_id, created_at desc, id desc);

create trigger deployment_hooks_touch
  before update of name, url, secret, trigger_on, environment, headers, enabled, disabled_reason on deployment_hooks
  for each row execute function touch();

-- One row is the lane of a hook: the counter of its `sequence`, and the exclusive right to serve it.
-- Apart from the hook, because it changes with every event and is read by none of the hook's readers.
-- `version` rises whenever there may be something new to send; who leaves a lane looks at it again.
create table hook_lanes (
  hook_id         uuid primary key references deployment_hooks on delete cascade,
  organization_id uuid not null,
  sequence        bigint not null default 0,
  version         bigint not null default 0,
  owner_id        uuid references workers on delete set null
) with (fillfactor = 50);

create index hook_lanes_owner on hook_lanes (owner_id) where owner_id is not null;

-- One row is one event on its way to one hook. `body` is text, because the very bytes are signed and sent
-- again in every retry; jsonb would reorder them.
create table dispatches (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  hook_id         uuid not null,
  event_id        uuid not null,
  event           text not null,
  environment     text not null,
  sequence        bigint,
  body            text not null,
  status          text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempt_count   integer not null default 0,
  max_attempts    integer not null check (max_attempts >= 1),
  next_attempt_at timestamptz(3) default now(),
  response_status integer,
  response_body   text,
  duration_ms     integer,
  error           jsonb,
  redelivery_of   uuid references dispatches on delete set null,
  superseded_by   uuid,
  request_id      text,
  created_at      timestamptz(3) not null default now(),
  completed_at    timestamptz(3),
  constraint dispatches_hook foreign key (hook_id, project_id, workspace_id, organization_id)
    references deployment_hooks (id, project_id, workspace_id, organization_id) on delete cascade,
  constraint dispatches_settled check ((status = 'pending') = (completed_at is null)),
  constraint dispatches_due check ((status = 'pending') = (next_attempt_at is not null))
);

-- No event is told twice to one hook, whatever is run again; and the drain wakes the hooks of an event.
create unique index dispatches_event on dispatches (event_id, hook_id) where redelivery_of is null;

-- A hook's sequence has no number twice.
create unique index dispatches_sequence on dispatches (hook_id, sequence) where redelivery_of is null and sequence is not null;

-- What a lane has to send, in the order in which it is due.
create index dispatches_due on dispatches (hook_id, next_attempt_at, id) where status = 'pending';

-- A hook's history, newest first.
create index dispatches_history on dispatches (hook_id, created_at desc, id desc);

create index dispatches_redelivery on dispatches (redelivery_of) where redelivery_of is not null;

-- One row is one request of a dispatch, and what came of it.
create table dispatch_attempts (
  dispatch_id      uuid not null references dispatches on delete cascade,
  organization_id  uuid not null,
  number           integer not null check (number >= 1),
  started_at       timestamptz(3) not null,
  address          text,
  dns_ms           integer,
  first_byte_ms    integer,
  duration_ms      integer not null,
  response_status  integer,
  response_headers jsonb,
  response_body    text,
  error            jsonb,
  primary key (dispatch_id, number)
);
