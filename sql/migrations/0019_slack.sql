-- Slack: threads of executions, gates that are decided in messages, and the people who do so.

-- One row is the thread of an execution in a Slack channel. It is created with the first message about the execution; the root is
-- set when that message is posted.
create table slack_threads (
  channel_id      uuid not null,
  execution_id    uuid not null,
  organization_id uuid not null,
  -- The event that the root shows.
  event_id        uuid,
  -- The Slack channel that the root was posted to, and its timestamp, which identifies it there.
  slack_channel   text,
  ts              text,
  -- A hash of what the root shows, so that it is updated only if that changes.
  shown           bytea,
  -- The Slack workspace that it was posted to, and a hash of the API and the bot token that it was posted with: a click counts
  -- only there, and another token cannot change it. The workspace is null where Slack did not say.
  team_id         text,
  token_hash      bytea,
  created_at      timestamptz(3) not null default now(),
  primary key (channel_id, execution_id, organization_id),
  constraint slack_threads_root check (num_nulls(event_id, slack_channel, ts, shown, token_hash) in (0, 5)),
  constraint slack_threads_channel foreign key (channel_id, organization_id)
    references notification_channels (id, organization_id) on delete cascade,
  constraint slack_threads_execution foreign key (execution_id, organization_id)
    references executions (id, organization_id) on delete cascade
);

-- The threads of an execution whose state changes.
create index slack_threads_execution on slack_threads (execution_id, organization_id);

-- One row is a reply in a thread that shows a gate, with its buttons while the gate is pending. A root that shows a gate has
-- none.
create table slack_gate_messages (
  channel_id      uuid not null,
  gate_id         uuid not null,
  organization_id uuid not null,
  execution_id    uuid not null,
  event_id        uuid not null,
  slack_channel   text not null,
  ts              text not null,
  shown           bytea not null,
  team_id         text,
  token_hash      bytea not null,
  created_at      timestamptz(3) not null default now(),
  primary key (channel_id, gate_id, organization_id),
  constraint slack_gate_messages_thread foreign key (channel_id, execution_id, organization_id)
    references slack_threads (channel_id, execution_id, organization_id) on delete cascade,
  constraint slack_gate_messages_gate foreign key (gate_id, organization_id)
    references gates (id, organization_id) on delete cascade
);

-- The gate messages of a thread.
create index slack_gate_messages_thread on slack_gate_messages (channel_id, execution_id);

create index slack_gate_messages_gate on slack_gate_messages (gate_id);

-- One row is an account elsewhere that acts for a user here.
create table user_identities (
  id          uuid primary key default uuidv7(),
  user_id     uuid not null references users on delete cascade,
  provider    text not null check (provider = 'slack'),
  team_id     text not null check (length(team_id) between 1 and 64),
  external_id text not null check (length(external_id) between 1 and 64),
  created_at  timestamptz(3) not null default now(),
  constraint user_identities_key unique (provider, team_id, external_id)
);

-- A user's identities, newest first.
create index user_identities_user on user_identities (user_id, id desc);

-- One row is a link by which a signed-in user claims a Slack account. The link was shown to that account alone.
create table slack_link_tokens (
  hash        bytea primary key,
  team_id     text not null,
  external_id text not null,
  -- The person and the Slack workspace as the page of the link names them, and the person's address in Slack. Null where Slack
  -- did not say.
  user_name   text,
  team_name   text,
  email       text,
  expires_at  timestamptz(3) not null
);

-- The links of a Slack account: a new one replaces them.
create index slack_link_tokens_account on slack_link_tokens (team_id, external_id);

-- One row is a click on a button of a gate, and what the person is told about it. It is kept after the answer for as long as the
-- same signed request would be accepted again.
create table slack_clicks (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  -- The hash of the signed request.
  digest          bytea not null,
  channel_id      uuid not null,
  event_id        uuid not null,
  gate_id         uuid not null,
  answer          text not null check (answer in ('gate', 'refusal', 'link')),
  -- For a refusal: the sentence for the person.
  detail          text,
  team_id         text not null,
  external_id     text not null,
  -- What Slack calls the person who clicked, and the domain of their Slack workspace.
  user_name       text,
  team_domain     text,
  -- Where the answer goes, encrypted, because it allows changing the message. Null: there is no URL to answer at.
  response_url    bytea,
  answered_at     timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint slack_clicks_digest_key unique (digest, organization_id),
  constraint slack_clicks_detail check ((answer = 'refusal') = (detail is not null))
);

create index slack_clicks_organization on slack_clicks (organization_id);

-- Clicks that are old enough to be forgotten.
create index slack_clicks_created_at on slack_clicks (created_at);

-- One row is an authorization by Slack that was used. A state is signed and not stored before it is used.
create table slack_used_states (
  hash       bytea primary key,
  expires_at timestamptz(3) not null
);
