-- One row is a place that a workspace is told at: a room of a chat tool, a web address, or mailboxes. `config` is what
-- answers show, with a mask in the place of every secret; `secrets` holds those, sealed by the application.
create table notification_channels (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  name            text not null check (length(name) between 1 and 120),
  channel_type    text not null check (channel_type in ('feishu', 'slack', 'teams', 'webhook', 'email')),
  config          jsonb not null check (jsonb_typeof(config) = 'object'),
  secrets         bytea not null,
  enabled         boolean not null default true,
  disabled_reason text,
  created_by      uuid not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  constraint notification_channels_reason check (not enabled or disabled_reason is null),
  constraint notification_channels_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade,
  constraint notification_channels_place_key unique (id, workspace_id, organization_id)
);

-- A workspace's channels, newest first.
create index notification_channels_workspace on notification_channels (workspace_id, created_at desc, id desc);

create trigger notification_channels_touch
  before update of name, config, secrets, enabled, disabled_reason on notification_channels
  for each row execute function touch();

-- One row is what a channel wants to hear of: the events that fit a pattern, of one project or of all.
create table subscriptions (
  id                uuid primary key default uuidv7(),
  organization_id   uuid not null,
  workspace_id      uuid not null,
  channel_id        uuid not null,
  event_pattern     text not null check (length(event_pattern) between 1 and 100),
  filter_project_id uuid,
  created_by        uuid not null,
  created_at        timestamptz(3) not null default now(),
  -- It serves the list of a channel's subscriptions as well.
  constraint subscriptions_pattern_key unique nulls not distinct (channel_id, event_pattern, filter_project_id),
  constraint subscriptions_channel foreign key (channel_id, workspace_id, organization_id)
    references notification_channels (id, workspace_id, organization_id) on delete cascade,
  constraint subscriptions_project foreign key (filter_project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

-- The drain asks who wants an event of an organization; an event has few patterns that fit it.
create index subscriptions_wanted on subscriptions (organization_id, event_pattern);

-- A project takes the subscriptions to it along.
create index subscriptions_project on subscriptions (filter_project_id) where filter_project_id is not null;

-- One row is the exclusive right to serve a channel, and how it fares. Apart from the channel, because it changes with
-- every message. Failures count since the last success. A tool that asked to wait gets nothing before `held_until`.
create table channel_lanes (
  channel_id      uuid primary key references notification_channels on delete cascade,
  organization_id uuid not null,
  owner_id        uuid references workers on delete set null,
  failures        integer not null default 0,
  failing_since   timestamptz(3),
  held_until      timestamptz(3)
) with (fillfactor = 50);

create index channel_lanes_owner on channel_lanes (owner_id) where owner_id is not null;
