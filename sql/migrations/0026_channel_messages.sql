-- One row is an event that some channel is told of: its envelope, made once, however many channels there are.
create table channel_events (
  id              uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id      uuid,
  body            text not null,
  created_at      timestamptz(3) not null default now()
);

create index channel_events_organization on channel_events (organization_id);

-- One row is one event on its way to one channel, and afterwards the entry of its log. `accepted` names the mailboxes
-- that have it already, which a retry leaves out.
create table channel_messages (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null,
  workspace_id    uuid not null,
  channel_id      uuid not null,
  event_id        uuid not null references channel_events on delete cascade,
  event           text not null,
  status          text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempt_count   integer not null default 0,
  max_attempts    integer not null check (max_attempts >= 1),
  next_attempt_at timestamptz(3) default now(),
  response_status integer,
  duration_ms     integer,
  error           jsonb,
  accepted        text[] not null default '{}',
  request_id      text,
  created_at      timestamptz(3) not null default now(),
  completed_at    timestamptz(3),
  constraint channel_messages_channel foreign key (channel_id, workspace_id, organization_id)
    references notification_channels (id, workspace_id, organization_id) on delete cascade,
  -- No event is told twice to one channel, whatever subscriptions it has and whatever is run again.
  constraint channel_messages_event_key unique (event_id, channel_id),
  constraint channel_messages_settled check ((status = 'pending') = (completed_at is null)),
  constraint channel_messages_due check ((status = 'pending') = (next_attempt_at is not null))
);

-- What a lane has to send, in the order in which it is due.
create index channel_messages_due on channel_messages (channel_id, next_attempt_at, id) where status = 'pending';

-- A channel's log, newest first.
create index channel_messages_log on channel_messages (channel_id, created_at desc, id desc);

-- One row is one try of a message, and what came of it.
create table channel_attempts (
  message_id      uuid not null references channel_messages on delete cascade,
  organization_id uuid not null,
  number          integer not null check (number >= 1),
  started_at      timestamptz(3) not null,
  duration_ms     integer not null,
  response_status integer,
  error           jsonb,
  primary key (message_id, number)
);

-- What waits goes with the last subscription that wanted it, whoever deletes that: a person, or the project that it was
-- for. Tests are wanted by whoever asked for them. The drain holds the subscriptions that it found until its commit,
-- so that this sees the messages that it wrote.
create function cancel_unwanted_messages() returns trigger
  language plpgsql
  as $$
    begin
      update channel_messages as message
      set status          = 'cancelled',
          next_attempt_at = null,
          completed_at    = now(),
          error           = '{"code": "unsubscribed", "detail": "The last subscription that wanted this was deleted while it waited."}'
      from channel_events as event
      where message.channel_id in (select channel_id from gone)
        and message.status = 'pending'
        and message.event <> 'test.ping'
        and event.id = message.event_id
        and not exists (
          select
          from subscriptions as subscription
          where subscription.channel_id = message.channel_id
            and (subscription.filter_project_id is null or subscription.filter_project_id = event.project_id)
            and (
              subscription.event_pattern in ('*', message.event)
              or subscription.event_pattern like '%.*'
                and starts_with(message.event, left(subscription.event_pattern, -1))
            )
        );
      return null;
    end
  $$;

create trigger subscriptions_cancel after delete on subscriptions
  referencing old table as gone
  for each statement execute function cancel_unwanted_messages();
