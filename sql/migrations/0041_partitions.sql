-- Dispatches and the messages of channels are kept in partitions, a week each, so that what is old can be dropped. The
-- tables as they were become the first partitions, for all that came before. What reads and writes them, in this version
-- and the one before, names them as it did.
alter table dispatches validate constraint first_partition;
alter table dispatch_attempts validate constraint first_partition;
alter table channel_events validate constraint first_partition;
alter table channel_messages validate constraint first_partition;
alter table channel_attempts validate constraint first_partition;

-- In the order in which those who write them do.
lock table organizations, deployment_hooks, notification_channels in share row exclusive mode;
lock table dispatches, dispatch_attempts, channel_events, channel_messages, channel_attempts in access exclusive mode;

-- Puts a partitioned table in the place of a plain one, whose indexes give up their names as well.
create function pg_temp.make_partitioned(name text, key text) returns void
  language plpgsql
  as $$
    declare
      old   text := name || '_19700101';
      index record;
    begin
      execute format('alter table %I rename to %I', name, old);
      for index in select relname from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = old::regclass loop
        execute format('alter index %I rename to %I', index.relname, overlay(index.relname placing old from 1 for length(name)));
      end loop;
      execute format('create table %I (like %I including defaults including constraints) partition by range (%I)', name, old, key);
      execute format('alter table %I drop constraint first_partition', name);
    end
  $$;

-- Puts the plain table into it, as far as its constraint reaches.
create function pg_temp.attach_first(name text) returns void
  language plpgsql
  as $$
    declare
      old text := name || '_19700101';
    begin
      execute format(
        'alter table %I attach partition %I for values from (minvalue) to (%L)',
        name, old, (
          select substring(pg_get_constraintdef(oid) from '[0-9a-f]{8}-[-0-9a-f]{27}')
          from pg_constraint
          where conrelid = old::regclass
            and conname = 'first_partition'
        )
      );
      execute format('alter table %I drop constraint first_partition', old);
    end
  $$;

-- Dispatches. Indexes are made empty here, and find those of the first partition when it is attached.
select pg_temp.make_partitioned('dispatches', 'id');

alter table dispatches
  add primary key (id),
  add constraint dispatches_hook foreign key (hook_id, project_id, workspace_id, organization_id)
    references deployment_hooks (id, project_id, workspace_id, organization_id) on delete cascade;

create index dispatches_due on dispatches (hook_id, next_attempt_at, id) where status = 'pending';
create index dispatches_tests on dispatches (hook_id, next_attempt_at, id) where status = 'pending' and event = 'test.ping';
create index dispatches_cancel_asked on dispatches (hook_id) where status = 'pending' and cancel_asked;
create index dispatches_first on dispatches (coalesce(redelivery_of, id)) where status = 'pending';
create index dispatches_history on dispatches (hook_id, created_at desc, id desc);
create index dispatches_unsuccessful on dispatches (hook_id, created_at) where status in ('failed', 'cancelled');
create index dispatches_redelivery on dispatches (redelivery_of) where redelivery_of is not null;

select pg_temp.attach_first('dispatches');

create table dispatches_default partition of dispatches default;

-- A hook's sequence has no number twice within a partition. Over all of them it is the lane that counts, which is held
-- while it does. That no event is told twice to one hook needs an index no more: the id of a dispatch follows from both.
create unique index on dispatches_default (hook_id, sequence) where redelivery_of is null and sequence is not null;

select pg_temp.make_partitioned('dispatch_attempts', 'dispatch_id');
alter table dispatch_attempts add primary key (dispatch_id, number);
select pg_temp.attach_first('dispatch_attempts');
create table dispatch_attempts_default partition of dispatch_attempts default;

-- From partition to partition of one span, as the first ones have it: both go together when they are old.
alter table dispatch_attempts_default
  add constraint dispatch_attempts_dispatch_id_fkey foreign key (dispatch_id) references dispatches_default on delete cascade;

-- Channels: events, the messages that tell of them, and their attempts.
select pg_temp.make_partitioned('channel_events', 'id');

alter table channel_events
  add primary key (id),
  add constraint channel_events_organization_id_fkey foreign key (organization_id) references organizations on delete cascade;

create index channel_events_organization on channel_events (organization_id);

select pg_temp.attach_first('channel_events');
create table channel_events_default partition of channel_events default;

select pg_temp.make_partitioned('channel_messages', 'id');

alter table channel_messages
  add primary key (id),
  add constraint channel_messages_channel foreign key (channel_id, workspace_id, organization_id)
    references notification_channels (id, workspace_id, organization_id) on delete cascade;

create index channel_messages_due on channel_messages (channel_id, next_attempt_at, id) where status = 'pending';
create index channel_messages_log on channel_messages (channel_id, created_at desc, id desc);

select pg_temp.attach_first('channel_messages');
create table channel_messages_default partition of channel_messages default;

-- The messages of an event, which go with it; the first partition has them in the order of a constraint.
create index on channel_messages_default (event_id);

alter table channel_messages_default
  add constraint channel_messages_event_id_fkey foreign key (event_id) references channel_events_default on delete cascade;

select pg_temp.make_partitioned('channel_attempts', 'message_id');
alter table channel_attempts add primary key (message_id, number);
select pg_temp.attach_first('channel_attempts');
create table channel_attempts_default partition of channel_attempts default;

alter table channel_attempts_default
  add constraint channel_attempts_message_id_fkey foreign key (message_id) references channel_messages_default on delete cascade;
