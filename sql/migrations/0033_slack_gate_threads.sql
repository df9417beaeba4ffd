-- A gate without an execution has a Slack thread of its own: its message is the root. The row is created with the first message, as
-- that of an execution's thread is, and has what identifies the message once it is posted.
alter table slack_gate_messages
  alter column execution_id drop not null,
  alter column event_id drop not null,
  alter column slack_channel drop not null,
  alter column ts drop not null,
  alter column shown drop not null,
  alter column token_hash drop not null,
  add constraint slack_gate_messages_posted check (num_nulls(event_id, slack_channel, ts, shown, token_hash) in (0, 5)),
  -- Only messages in threads of executions are deleted with the thread.
  add constraint slack_gate_messages_channel foreign key (channel_id, organization_id)
    references notification_channels (id, organization_id) on delete cascade;
