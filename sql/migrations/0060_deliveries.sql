-- Deliveries: one queue and one kind of lane for everything that is sent out, and a history apart from the queue.
--
-- `dispatches` and `channel_messages` are history: a row is written once when it is made and once when it is finished, and
-- no index names a column that changes, so that the update stays on its page (HOT). What waits is a row of `deliveries`,
-- small and short-lived. Triggers keep the two in step, so that no path can make one without the other.

-- Old processes may still write; they wait for this transaction, and then find their statements refused. All locks are taken
-- here, in the order in which the drain and the lanes take theirs: nobody holds what this waits for and waits for this.
lock table deployment_hooks, notification_channels, subscriptions, workers in share row exclusive mode;
lock table hook_lanes, dispatches, dispatch_attempts, hook_receivers, channel_events, channel_messages, channel_attempts, channel_lanes
  in access exclusive mode;

-- One row is the lane of a hook or channel: the queue of one destination, and the exclusive right to serve it. `version`
-- rises whenever there may be something new to do, and `revision` whenever what a worker has read ahead may be out of date;
-- `sequence` numbers the dispatches of a hook. Apart from the hook, because it changes with every event.
create table lanes (
  id              uuid not null,
  organization_id uuid not null,
  kind            text not null check (kind in ('hook', 'channel')),
  hook_id         uuid generated always as (case kind when 'hook' then id end) stored,
  channel_id      uuid generated always as (case kind when 'channel' then id end) stored,
  sequence        bigint not null default 0,
  version         bigint not null default 0,
  revision        bigint not null default 0,
  owner_id        uuid references workers on delete set null,
  -- Why the lane could not be served the last time, such as a secret that opens with no key; null where it could.
  fault           text,
  primary key (id, organization_id),
  constraint lanes_hook foreign key (hook_id, organization_id)
    references deployment_hooks (id, organization_id) on delete cascade,
  constraint lanes_channel foreign key (channel_id, organization_id)
    references notification_channels (id, organization_id) on delete cascade
) with (fillfactor = 50);

-- What a worker serves, when it ends or dies.
create index lanes_owner on lanes (owner_id) where owner_id is not null;
-- A hook or channel takes its lane along.
create index lanes_hook_id on lanes (hook_id) where hook_id is not null;
create index lanes_channel_id on lanes (channel_id) where channel_id is not null;

-- One row is how the destination of a lane responds. Written by the worker that serves the lane, apart from the lane, which
-- the drain writes. Failures count since the last success.
create table lane_health (
  lane_id          uuid not null,
  organization_id  uuid not null,
  last_success_at  timestamptz(3),
  failures         integer not null default 0,
  first_failure_at timestamptz(3),
  last_failure_at  timestamptz(3),
  -- The last attempt timed out: one request at a time until one succeeds.
  timed_out        boolean not null default false,
  -- The destination asked not to be called before.
  held_until       timestamptz(3),
  primary key (lane_id, organization_id),
  constraint lane_health_lane foreign key (lane_id, organization_id) references lanes (id, organization_id) on delete cascade
) with (fillfactor = 70);

insert into lanes (id, organization_id, kind, sequence, version, fault)
select hook_id, organization_id, 'hook', sequence, version, fault from hook_lanes
union all
select channel_id, organization_id, 'channel', 0, 0, fault from channel_lanes;

insert into lane_health (lane_id, organization_id, last_success_at, failures, first_failure_at, last_failure_at, timed_out)
select hook_id, organization_id, last_success_at, failures, first_failure_at, last_failure_at, is_slow from hook_receivers;

insert into lane_health (lane_id, organization_id, failures, first_failure_at, last_failure_at, held_until)
select channel_id, organization_id, failures, failing_since, failing_since, held_until
from channel_lanes
where failures > 0
  or held_until is not null;

-- One row is a dispatch or message that waits for its next attempt. It is made with its history row and deleted when that is
-- finished: whoever deletes it finishes it, so nothing is recorded twice. Small and hot: it is vacuumed early.
create table deliveries (
  -- Of the dispatch or message.
  id               uuid not null,
  organization_id  uuid not null,
  lane_id          uuid not null,
  kind             text not null check (kind in ('dispatch', 'message')),
  event            text not null,
  due_at           timestamptz(3) not null default now(),
  attempt_count    integer not null default 0,
  -- Sent whatever state its destination is in.
  is_test          boolean not null default false,
  -- Cancelled while it may be in flight: the worker that serves the lane finishes it.
  cancel_requested boolean not null default false,
  primary key (id, organization_id)
) with (fillfactor = 80, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05);

-- What a lane has to send, in the order in which it is due.
create index deliveries_due on deliveries (lane_id, due_at, id);
-- The tests of a hook that is paused, which pass everything that waits.
create index deliveries_tests on deliveries (lane_id) where is_test;
-- A lane asks with each look whether something was cancelled.
create index deliveries_cancel_requested on deliveries (lane_id) where cancel_requested;

insert into deliveries (id, organization_id, lane_id, kind, event, due_at, attempt_count, is_test, cancel_requested)
select id, organization_id, hook_id, 'dispatch', event, next_attempt_at, attempt_count, event = 'test.ping', cancel_asked
from dispatches
where status = 'pending'
union all
select id, organization_id, channel_id, 'message', event, next_attempt_at, attempt_count, event = 'test.ping', false
from channel_messages
where status = 'pending';

-- A hook or channel that is deleted takes along what waits for it, before its history goes: whoever records an attempt locks
-- the row of the queue first and the dispatch or message after that.
create function delete_waiting() returns trigger
  language plpgsql
  as $$
    begin
      perform from lanes where id = old.id and organization_id = old.organization_id for no key update;
      delete from deliveries where lane_id = old.id and organization_id = old.organization_id;
      return old;
    end
  $$;

create trigger delete_waiting before delete on deployment_hooks for each row execute function delete_waiting();
create trigger delete_waiting before delete on notification_channels for each row execute function delete_waiting();

-- One row is the text of a dispatch: the very bytes that are signed and sent. Apart from the dispatch, as every update of a
-- row copies all of it.
create table dispatch_bodies (
  dispatch_id     uuid not null,
  organization_id uuid not null,
  body            text not null,
  primary key (dispatch_id, organization_id)
) partition by range (dispatch_id);

create table dispatch_bodies_default partition of dispatch_bodies default;

-- The partitions that the rest of the family has.
do $$
  declare
    span record;
  begin
    for span in select * from partitions_of('dispatches') where not is_default loop
      execute format(
        'create table %s partition of dispatch_bodies for values from (%s) to (%s)',
        replace(span.partition::text, 'dispatches', 'dispatch_bodies'),
        coalesce(quote_literal(span.from_id), 'minvalue'), coalesce(quote_literal(span.to_id), 'maxvalue')
      );
    end loop;
  end
$$;

insert into dispatch_bodies (dispatch_id, organization_id, body) select id, organization_id, body from dispatches;

-- One row is a dispatch or message that failed or was cancelled: few of many, and asked for by themselves.
create table unsuccessful_deliveries (
  id              uuid not null,
  organization_id uuid not null,
  lane_id         uuid not null,
  kind            text not null check (kind in ('dispatch', 'message')),
  event           text not null,
  status          text not null check (status in ('failed', 'cancelled')),
  -- Of the first dispatch with this body.
  first_id        uuid not null,
  created_at      timestamptz(3) not null,
  completed_at    timestamptz(3) not null,
  primary key (id, organization_id)
);

-- "Which of this hook did not succeed?", newest first, and since when.
create index unsuccessful_deliveries_lane on unsuccessful_deliveries (lane_id, created_at desc, id desc);
-- "What failed for good in the last day?", over all tenants.
create index unsuccessful_deliveries_failed on unsuccessful_deliveries (completed_at) where status = 'failed';

insert into unsuccessful_deliveries (id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at)
select id, organization_id, hook_id, 'dispatch', event, status, coalesce(redelivery_of, id), created_at, completed_at
from dispatches
where status in ('failed', 'cancelled')
union all
select id, organization_id, channel_id, 'message', event, status, id, created_at, completed_at
from channel_messages
where status in ('failed', 'cancelled');

-- One row is how many dispatches of a hook there are, by the span of time in which their ids lie (as their partition does)
-- and their event: all that were made, and those that failed or were cancelled. The rest waits or succeeded; what waits is in
-- `deliveries`. So most dispatches are counted once, by whoever makes them.
create table dispatch_counts (
  hook_id         uuid not null,
  organization_id uuid not null,
  span            bigint not null,
  event           text not null,
  status          text not null check (status in ('made', 'failed', 'cancelled')),
  count           bigint not null,
  primary key (hook_id, span, event, status, organization_id),
  constraint dispatch_counts_hook foreign key (hook_id, organization_id)
    references deployment_hooks (id, organization_id) on delete cascade
) with (fillfactor = 50);

-- The span of time in which an id (UUIDv7) lies: weeks since Monday, 1 January 2024, as `partition_start` counts them.
-- Its first six bytes are milliseconds since 1970.
create function span_of(id uuid) returns bigint
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

insert into dispatch_counts (hook_id, organization_id, span, event, status, count)
select hook_id, organization_id, span_of(id), event, 'made', count(*) from dispatches group by 1, 2, 3, 4
union all
select hook_id, organization_id, span_of(id), event, status, count(*)
from dispatches
where status in ('failed', 'cancelled')
group by 1, 2, 3, 4, 5;

-- The mailboxes that took a message at an attempt, and those that refused it for good, each with its code.
alter table channel_attempts
  add column accepted text[] not null default '{}',
  add column refused jsonb not null default '{}';

update channel_attempts as attempt
set accepted = message.accepted,
    refused  = message.refused
from channel_messages as message
where message.id = attempt.message_id
  and message.attempt_count = attempt.number
  and (message.accepted <> '{}' or message.refused <> '{}');

-- What is left is history.
-- The id of a dispatch follows from event and hook, so that its primary key says that no event is sent to a hook twice.
drop index if exists dispatches_19700101_event;
drop index dispatches_due, dispatches_tests, dispatches_cancel_asked, dispatches_first, dispatches_unsuccessful, dispatches_failed;
drop index channel_messages_due, channel_messages_failed;

alter table dispatches
  drop column next_attempt_at,
  drop column response_status,
  drop column response_body,
  drop column duration_ms,
  drop column cancel_asked,
  drop column body;
alter table channel_messages
  drop column next_attempt_at,
  drop column response_status,
  drop column duration_ms,
  drop column accepted,
  drop column refused;

-- Attempts go with their dispatch by its trigger: a key would lock the dispatch for each of them.
do $$
  declare
    leaf regclass;
    key  name;
  begin
    for leaf, key in
      select conrelid::regclass, conname
      from pg_constraint
      where contype = 'f'
        and confrelid in (select partition from partitions_of('dispatches'))
        and conrelid in (select partition from partitions_of('dispatch_attempts'))
    loop
      execute format('alter table %s drop constraint %I', leaf, key);
    end loop;
    for leaf in
      select partition from partitions_of('dispatches')
      union all
      select partition from partitions_of('channel_messages')
    loop
      execute format('alter table %s set (fillfactor = 50)', leaf);
    end loop;
  end
$$;

-- What was filled above is new to the planner.
analyze lanes, lane_health, deliveries, unsuccessful_deliveries, dispatch_counts;
