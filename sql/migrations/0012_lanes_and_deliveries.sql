-- Lanes and deliveries: one queue for everything that is sent to hooks and channels, apart from its history. What waits is a
-- row of `deliveries`, small and short-lived; `dispatches` and `channel_messages` are the history.

-- One row is the lane of a hook or channel: the queue of one destination, and the exclusive right to serve it. `version` rises
-- whenever there may be something new to do, and `revision` whenever what a worker has read ahead may be out of date;
-- `sequence` numbers the dispatches of a hook. Separate from the hook, because it changes with every event.
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
  -- Why the lane could not be served the last time, such as a secret that no key decrypts; null if it could be.
  error_code      text,
  primary key (id, organization_id),
  constraint lanes_hook foreign key (hook_id, organization_id)
    references deployment_hooks (id, organization_id) on delete cascade,
  constraint lanes_channel foreign key (channel_id, organization_id)
    references notification_channels (id, organization_id) on delete cascade
) with (fillfactor = 50);

-- The lanes of a worker, which are freed when it ends.
create index lanes_owner on lanes (owner_id) where owner_id is not null;

-- A lane is deleted with its hook or channel.
create index lanes_hook_id on lanes (hook_id) where hook_id is not null;
create index lanes_channel_id on lanes (channel_id) where channel_id is not null;

-- One row is the health of a lane's destination: failures since the last success. The worker that serves the lane writes it. It
-- is not part of the lane, because the drain updates that at the same time.
create table lane_health (
  lane_id          uuid not null,
  organization_id  uuid not null,
  last_success_at  timestamptz(3),
  failures         integer not null default 0,
  first_failure_at timestamptz(3),
  last_failure_at  timestamptz(3),
  -- An attempt has timed out since the last success: one request at a time until one succeeds.
  timed_out        boolean not null default false,
  -- The destination asked not to be called before.
  held_until       timestamptz(3),
  primary key (lane_id, organization_id),
  constraint lane_health_lane foreign key (lane_id, organization_id) references lanes (id, organization_id) on delete cascade
) with (fillfactor = 70);

-- One row is a dispatch or message that waits for its next attempt. It is made with its history row and deleted when that is
-- finished: the statement that deletes it finishes it, so nothing is recorded twice. Small and hot: it is vacuumed early.
create table deliveries (
  -- Of the dispatch or message.
  id               uuid not null,
  organization_id  uuid not null,
  lane_id          uuid not null,
  kind             text not null check (kind in ('dispatch', 'message')),
  event            text not null,
  due_at           timestamptz(3) not null default now(),
  attempt_count    integer not null default 0,
  -- Sent even if the destination is paused or disabled.
  is_test          boolean not null default false,
  -- Cancelled while it may be in flight: the worker that serves the lane finishes it.
  cancel_requested boolean not null default false,
  primary key (id, organization_id)
) with (fillfactor = 80, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05);

-- What a lane has to send, in the order in which it is due.
create index deliveries_due on deliveries (lane_id, due_at, id);

-- The tests of a paused hook, which overtake everything that waits.
create index deliveries_tests on deliveries (lane_id) where is_test;

-- A lane checks with each read whether something was cancelled.
create index deliveries_cancel_requested on deliveries (lane_id) where cancel_requested;

-- The waiting deliveries of a deleted hook or channel are deleted before its history, because recording an attempt locks the row
-- of the queue first and the dispatch or message after that.
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

-- One row is a dispatch or message that failed or was cancelled. They are few, and lists of them must not read the others.
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

-- "Which of this lane did not succeed?", newest first, and since when.
create index unsuccessful_deliveries_lane on unsuccessful_deliveries (lane_id, created_at desc, id desc);

-- "What failed permanently in the last day?", over all tenants.
create index unsuccessful_deliveries_failed on unsuccessful_deliveries (completed_at) where status = 'failed';

-- A row of the queue belongs to a pending dispatch or message, and is not deleted while that is pending. What the triggers of
-- the history (0013) write is correct, and is not checked again.
create function deliveries_inserted() returns trigger
  language plpgsql
  as $$
    declare
      finished uuid;
    begin
      if pg_trigger_depth() > 1 then return null; end if;
      -- Subqueries by the key, and not `exists`, for which PostgreSQL may read the whole history.
      select id into finished
      from made
      where case kind
          when 'dispatch' then (
            select true
            from dispatches as dispatch
            where dispatch.id = made.id
              and dispatch.organization_id = made.organization_id
              and dispatch.status = 'pending'
          )
          else (
            select true
            from channel_messages as message
            where message.id = made.id
              and message.organization_id = made.organization_id
              and message.status = 'pending'
          )
        end is null
      limit 1;
      if finished is not null then
        raise exception 'No dispatch or message of id % is pending.', finished
          using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end
  $$;

create function deliveries_deleted() returns trigger
  language plpgsql
  as $$
    declare
      pending uuid;
    begin
      if pg_trigger_depth() > 1 then return null; end if;
      select id into pending
      from gone
      where case kind
          when 'dispatch' then (
            select true
            from dispatches as dispatch
            where dispatch.id = gone.id
              and dispatch.organization_id = gone.organization_id
              and dispatch.status = 'pending'
          )
          else (
            select true
            from channel_messages as message
            where message.id = gone.id
              and message.organization_id = gone.organization_id
              and message.status = 'pending'
          )
        end
      limit 1;
      if pending is not null then
        raise exception '% is pending, and would never be sent: finish it in the same statement.', pending
          using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end
  $$;

create trigger deliveries_inserted after insert on deliveries
  referencing new table as made
  for each statement execute function deliveries_inserted();

create trigger deliveries_deleted after delete on deliveries
  referencing old table as gone
  for each statement execute function deliveries_deleted();

-- Waiting messages are cancelled with the last subscription that matches them, whatever deletes it: a request, or the deletion
-- of the project. Tests need no subscription. The drain locks the subscriptions that it found until its commit, so that
-- this trigger sees the messages that it wrote.
create function cancel_unwanted_messages() returns trigger
  language plpgsql
  as $$
    begin
      with unwanted as (
        delete from deliveries as delivery
        using channel_messages as message, channel_events as event
        where delivery.lane_id in (select channel_id from gone)
          and delivery.organization_id in (select organization_id from gone)
          and not delivery.is_test
          and message.id = delivery.id
          and message.organization_id = delivery.organization_id
          -- No subscription asked for updates.
          and not message.is_update
          and event.id = message.event_id
          and event.organization_id = message.organization_id
          and not exists (
            select
            from subscriptions as subscription
            where subscription.channel_id = message.channel_id
              and subscription.organization_id = message.organization_id
              and (subscription.filter_project_id is null or subscription.filter_project_id = event.project_id)
              and (
                subscription.event_pattern in ('*', message.event)
                or subscription.event_pattern like '%.*'
                  and starts_with(message.event, left(subscription.event_pattern, -1))
              )
          )
        returning delivery.id, delivery.organization_id, delivery.attempt_count
      )
      update channel_messages as message
      set status        = 'cancelled',
          attempt_count = unwanted.attempt_count,
          completed_at  = now(),
          error         = '{"code": "unsubscribed", "detail": "The last subscription that wanted this was deleted while it waited."}'
      from unwanted
      where message.id = unwanted.id
        and message.organization_id = unwanted.organization_id;
      return null;
    end
  $$;

create trigger subscriptions_cancel after delete on subscriptions
  referencing old table as gone
  for each statement execute function cancel_unwanted_messages();
