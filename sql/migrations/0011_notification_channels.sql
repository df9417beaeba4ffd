-- One row is a destination of a workspace's notifications: a room of a chat tool, a web address, or mailboxes. `config` is what
-- responses show, with a mask in the place of every secret; `secrets` contains those, encrypted by the application.
create table notification_channels (
  id              uuid not null default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  name            text not null check (length(name) between 1 and 120),
  channel_type    text not null check (channel_type in ('feishu', 'slack', 'teams', 'webhook', 'email')),
  config          jsonb not null check (jsonb_typeof(config) = 'object'),
  secrets         bytea not null,
  -- When the address in `config` was last changed; used like `target_since` of a deployment hook.
  target_since    timestamptz(3) not null default now(),
  enabled         boolean not null default true,
  disabled_reason text,
  created_by      uuid not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint notification_channels_place_key unique (id, workspace_id, organization_id),
  constraint notification_channels_reason check (not enabled or disabled_reason is null),
  constraint notification_channels_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade
);

-- The names of the people whom an envelope mentions by id, in fields such as `started_by` and `decided_by` of what the event is
-- about; `actor` is who caused it.
create function names_in(envelope jsonb, actor_id uuid) returns jsonb
  language sql stable
  as $$
    select jsonb_object_agg(mentioned.key, person.name)
    from (
      select id #>> '{}' as key, (id #>> '{}')::uuid as user_id
      from jsonb_path_query(
        envelope,
        '$.data.* ? (@.type() == "object").keyvalue() ? (@.key like_regex "_by$").value ? (@ like_regex "^[0-9a-f-]{36}$")'
      ) as id
      union
      select 'actor', actor_id
    ) as mentioned
    join people as person on person.id = mentioned.user_id
  $$;

-- A workspace's channels, newest first.
create index notification_channels_workspace on notification_channels (workspace_id, created_at desc, id desc);

create trigger notification_channels_touch
  before update of name, config, secrets, enabled, disabled_reason on notification_channels
  for each row execute function touch();

-- One row is what a channel subscribes to: the events that match a pattern, of one project or of all.
create table subscriptions (
  id                uuid not null default uuidv7(),
  organization_id   uuid not null,
  workspace_id      uuid not null,
  channel_id        uuid not null,
  event_pattern     text not null check (length(event_pattern) between 1 and 100),
  filter_project_id uuid,
  created_by        uuid not null,
  created_at        timestamptz(3) not null default now(),
  primary key (id, organization_id),
  -- Serves the list of a channel's subscriptions as well.
  constraint subscriptions_pattern_key unique nulls not distinct (channel_id, event_pattern, filter_project_id, organization_id),
  constraint subscriptions_channel foreign key (channel_id, workspace_id, organization_id)
    references notification_channels (id, workspace_id, organization_id) on delete cascade,
  constraint subscriptions_project foreign key (filter_project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- The drain looks for the subscriptions of an event; few patterns match one.
create index subscriptions_wanted on subscriptions (organization_id, event_pattern);

-- Subscriptions are deleted with the project that they filter by.
create index subscriptions_project on subscriptions (filter_project_id) where filter_project_id is not null;

-- One row is an event that some channel is notified of: its envelope, stored once, however many channels there are.
create table channel_events (
  id              uuid not null,
  organization_id uuid not null references organizations on delete cascade,
  project_id      uuid,
  body            text not null,
  created_at      timestamptz(3) not null default now(),
  primary key (id, organization_id)
) partition by range (id);

create index channel_events_organization on channel_events (organization_id);

create table channel_events_default partition of channel_events default;

-- One row is one event on its way to one channel, and afterwards the entry of the channel's log. As with dispatches, what waits
-- is a row of `deliveries`, and the id follows from event and channel.
create table channel_messages (
  id              uuid not null default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  channel_id      uuid not null,
  event_id        uuid not null,
  event           text not null,
  -- The channel does not subscribe to the event. Nothing is posted: the messages that show the execution are brought up to date.
  is_update       boolean not null default false,
  status          text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempt_count   integer not null default 0,
  max_attempts    integer not null check (max_attempts >= 1),
  error           jsonb,
  request_id      text,
  -- The W3C `traceparent` of the event.
  traceparent     text,
  created_at      timestamptz(3) not null default now(),
  completed_at    timestamptz(3),
  primary key (id, organization_id),
  constraint channel_messages_settled check ((status = 'pending') = (completed_at is null)),
  constraint channel_messages_channel foreign key (channel_id, workspace_id, organization_id)
    references notification_channels (id, workspace_id, organization_id) on delete cascade
) partition by range (id);

-- A channel's log, newest first.
create index channel_messages_log on channel_messages (channel_id, created_at desc, id desc);

create table channel_messages_default partition of channel_messages default with (fillfactor = 50);

-- Messages are deleted with their event.
create index on channel_messages_default (event_id);

-- From partition to partition of one span: both are dropped together when they are old.
alter table channel_messages_default
  add constraint channel_messages_event_id_fkey foreign key (event_id, organization_id)
    references channel_events_default (id, organization_id) on delete cascade;

-- One row is one attempt of a message, and its outcome.
create table channel_attempts (
  message_id      uuid not null,
  organization_id uuid not null,
  number          integer not null check (number >= 1),
  started_at      timestamptz(3) not null,
  duration_ms     integer not null,
  response_status integer,
  error           jsonb,
  -- The mailboxes that took the message, and those that refused it for good, each with its code, in canonical form. A retry
  -- leaves out both.
  accepted        text[] not null default '{}',
  refused         jsonb not null default '{}',
  primary key (message_id, number, organization_id)
) partition by range (message_id);

create index channel_attempts_started on channel_attempts using brin (started_at)
  with (pages_per_range = 32, autosummarize = on);

create table channel_attempts_default partition of channel_attempts default;

alter table channel_attempts_default
  add constraint channel_attempts_message_id_fkey foreign key (message_id, organization_id)
    references channel_messages_default (id, organization_id) on delete cascade;
