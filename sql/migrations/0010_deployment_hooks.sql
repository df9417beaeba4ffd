-- One row is a deployment hook: where the events of a project are sent. `secret`, `previous_secret` and `headers` are encrypted
-- by the application (AES-256-GCM). The names of the headers are not secret, and are stored to be shown.
create table deployment_hooks (
  id                    uuid not null default uuidv7(),
  organization_id       uuid not null,
  workspace_id          uuid not null,
  project_id            uuid not null,
  name                  text not null check (length(name) between 1 and 120),
  url                   text not null check (length(url) <= 2048),
  -- When `url` was last changed. A response counts only for the url that it came from: recording it compares this time with
  -- the one that was read before the request was sent.
  target_since          timestamptz(3) not null default now(),
  secret                bytea,
  -- The secret before the last rotation. It is kept for a while after it stopped signing, to tell the owner of a receiver that
  -- a request was signed with it.
  previous_secret       bytea,
  previous_secret_until timestamptz(3),
  headers               bytea,
  header_names          text[] not null default '{}',
  trigger_on            text not null check (trigger_on in ('workflow_done', 'gate_approved')),
  environment           text not null default 'production' check (length(environment) between 1 and 64),
  -- These two prevent a late deployment from undoing a newer one.
  max_age_seconds       integer check (max_age_seconds between 60 and 604800),
  supersede             boolean not null default false,
  paused                boolean not null default false,
  enabled               boolean not null default true,
  disabled_reason       text,
  created_by            uuid not null,
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint deployment_hooks_place_key unique (id, project_id, workspace_id, organization_id),
  constraint deployment_hooks_reason check (not enabled or disabled_reason is null),
  constraint deployment_hooks_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- A project's hooks, newest first; the drain finds here the hooks of an event.
create index deployment_hooks_project on deployment_hooks (project_id, created_at desc, id desc);

-- Previous secrets that are to be deleted.
create index deployment_hooks_previous on deployment_hooks (previous_secret_until) where previous_secret_until is not null;

-- Deleting a previous secret changes nothing that a response shows, so it keeps the version. A rotation writes `secret` as well.
create trigger deployment_hooks_touch
  before update of name, url, secret, trigger_on, environment, headers, enabled, disabled_reason, max_age_seconds, supersede,
                   paused
  on deployment_hooks
  for each row execute function touch();

-- The names of secrets, each with a mask as its value.
create function masked(names text[], mask text) returns jsonb
  language sql immutable parallel safe
  as $$
    select coalesce((select jsonb_object_agg(name, mask) from unnest(names) as name), '{}')
  $$;

-- One row is one event on its way to one hook, and afterwards its history. It is written once when it is made and once when it
-- is finished, and no index names a column that changes, so that the update stays on its page (HOT). What waits is a row of
-- `deliveries` (0012), which triggers keep consistent with this one (0013).
--
-- The id follows from event and hook, so the primary key prevents a second dispatch of an event to a hook. Redeliveries have ids
-- of their own.
create table dispatches (
  id              uuid not null default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  project_id      uuid not null,
  hook_id         uuid not null,
  event_id        uuid not null,
  event           text not null,
  environment     text not null,
  sequence        bigint,
  status          text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempt_count   integer not null default 0,
  max_attempts    integer not null check (max_attempts >= 1),
  error           jsonb,
  -- The first dispatch with this body. No foreign key: it stays when that one is deleted, as `webhook-id` names it.
  redelivery_of   uuid,
  -- What it comes from: the gate whose approval it tells of, or the workflow graph whose completion; and the user who asked for
  -- it: triggered it, rolled back, or sent it again.
  gate_id         uuid,
  graph_id        uuid,
  requested_by    uuid,
  -- Of a redelivery: the hook's sequence when it was made. A later dispatch supersedes it and an earlier one does not, although
  -- the redelivery has the older sequence. Other dispatches are ordered by their own sequence.
  made_after_sequence      bigint,
  superseded_by   uuid,
  request_id      text,
  -- The W3C `traceparent` of the event.
  traceparent     text,
  created_at      timestamptz(3) not null default now(),
  completed_at    timestamptz(3),
  primary key (id, organization_id),
  constraint dispatches_settled check ((status = 'pending') = (completed_at is null)),
  constraint dispatches_hook foreign key (hook_id, project_id, workspace_id, organization_id)
    references deployment_hooks (id, project_id, workspace_id, organization_id) on delete cascade
) partition by range (id);

-- A hook's history, newest first.
create index dispatches_history on dispatches (hook_id, created_at desc, id desc);

-- The redeliveries of a dispatch.
create index dispatches_redelivery on dispatches (redelivery_of) where redelivery_of is not null;

-- What was sent after the approval of a gate.
create index dispatches_gate on dispatches (gate_id) where gate_id is not null;

create table dispatches_default partition of dispatches default with (fillfactor = 50);

-- A sequence is unique within a partition. Across partitions, the counter of the lane ensures it, which the drain locks.
create unique index on dispatches_default (hook_id, sequence, organization_id)
  where redelivery_of is null and sequence is not null;

-- One row is the text of a dispatch: the very bytes that are signed and sent again in every retry; jsonb would reorder them. A
-- table of its own, as every update of a row copies all of it.
create table dispatch_bodies (
  dispatch_id     uuid not null,
  organization_id uuid not null,
  body            text not null,
  primary key (dispatch_id, organization_id)
) partition by range (dispatch_id);

create table dispatch_bodies_default partition of dispatch_bodies default;

-- One row is one request of a dispatch, and its outcome. Bodies and attempts are deleted by a trigger of their dispatch: a
-- foreign key would lock the dispatch for each of them.
create table dispatch_attempts (
  dispatch_id      uuid not null,
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
  primary key (dispatch_id, number, organization_id)
) partition by range (dispatch_id);

-- "How did the last hour go?": attempts are written in the order of their time, so one entry of the index covers many pages.
create index dispatch_attempts_started on dispatch_attempts using brin (started_at)
  with (pages_per_range = 32, autosummarize = on);

create table dispatch_attempts_default partition of dispatch_attempts default;

-- One row is how many dispatches a hook has, by the week in which their ids lie (as their partition does) and by event:
-- all that were created, and those that failed or were cancelled. The others succeeded or wait; what waits is in `deliveries`. So
-- most dispatches are counted once, when they are created.
create table dispatch_counts (
  hook_id         uuid not null,
  organization_id uuid not null,
  week            bigint not null,
  event           text not null,
  status          text not null check (status in ('created', 'failed', 'cancelled')),
  count           bigint not null,
  primary key (hook_id, week, event, status, organization_id),
  constraint dispatch_counts_hook foreign key (hook_id, organization_id)
    references deployment_hooks (id, organization_id) on delete cascade
) with (fillfactor = 50);

-- The week in which an id (UUIDv7) lies: weeks since Monday, 1 January 2024, as `partition_start` counts them. The
-- first six bytes are milliseconds since 1970.
create function id_week(id uuid) returns bigint
  language sql immutable strict parallel safe
  as $$
    select (
      (get_byte(uuid_send(id), 0)::bigint << 40)
        + (get_byte(uuid_send(id), 1)::bigint << 32)
        + (get_byte(uuid_send(id), 2)::bigint << 24)
        + (get_byte(uuid_send(id), 3) << 16)
        + (get_byte(uuid_send(id), 4) << 8)
        + get_byte(uuid_send(id), 5)
        - 1704067200000
    ) / 604800000
  $$;
