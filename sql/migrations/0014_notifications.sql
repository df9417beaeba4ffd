-- One row is the inbox of one user: its counters, which are stored because counting a million rows for every response is too
-- slow. A transaction that inserts notifications raises `sequence` first, and locks the row until the commit: so the sequence of
-- visible rows has no gap that is filled later, and a reader may continue after the last one. `notified_at` moves with it, so
-- that "all until then" never includes what came after. Everything up to `read_through` is read: marking a million as read
-- updates one row.
create table notification_inboxes (
  user_id      uuid primary key references users on delete cascade,
  sequence     bigint not null default 0,
  read_through bigint not null default 0,
  notified_at  timestamptz(3) not null default now(),
  total        integer not null default 0,
  unread       integer not null default 0,
  constraint notification_inboxes_counted check (unread between 0 and total)
) with (fillfactor = 50);

-- One row is a notification of one user. An inbox spans organizations: it is the user's, and so are its keys. It has no
-- foreign key to workspace and project, like the outbox: a notification stays true when they are deleted.
create table notifications (
  id              uuid primary key default uuidv7(),
  user_id         uuid not null references notification_inboxes on delete cascade,
  sequence        bigint not null,
  organization_id uuid not null references organizations on delete cascade,
  workspace_id    uuid,
  project_id      uuid,
  -- What it comes from: the event of the outbox, or the invitation.
  source_id       uuid not null,
  type            text not null check (type in (
                    'gate_pending', 'execution_completed', 'execution_failed',
                    'budget_alert', 'invitation_received', 'member_added', 'deployment_failed'
                  )),
  title           text not null,
  body            text not null,
  resource_type   text not null,
  resource_id     uuid not null,
  data            jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  -- When it was read by itself; what was read with all others before it is in `notification_read_marks`.
  read_at         timestamptz(3),
  created_at      timestamptz(3) not null,
  -- No user is notified twice of the same thing, even if a job runs again.
  constraint notifications_source_key unique (source_id, user_id)
);

-- A user's notifications, newest first, and what came after the last one that a stream has sent.
create unique index notifications_sequence on notifications (user_id, sequence desc);

-- The unread ones, and "all until then".
create index notifications_unread on notifications (user_id, sequence desc) where read_at is null;

-- The unread notifications of a gate, which are read by themselves when it is decided.
create index notifications_gate on notifications (resource_id) where type = 'gate_pending' and read_at is null;

-- The failed deployments that a user has not read about.
create index notifications_deployment on notifications (user_id, sequence desc)
  where type = 'deployment_failed' and read_at is null;

-- Notifications are deleted with their organization.
create index notifications_organization on notifications (organization_id);

-- One row is a moment at which a user marked everything up to a sequence as read.
create table notification_read_marks (
  user_id uuid not null references notification_inboxes on delete cascade,
  through bigint not null,
  read_at timestamptz(3) not null default now(),
  primary key (user_id, through)
);

-- The counters follow the rows, whatever writes or deletes them. One statement counts once, however many rows it changes.
create function count_notifications() returns trigger
  language plpgsql
  as $$
    begin
      if tg_op = 'INSERT' then
        update notification_inboxes as inbox
        set total = inbox.total + change.total, unread = inbox.unread + change.unread
        from (
          select user_id, count(*) as total, count(*) filter (where read_at is null) as unread
          from gained
          group by user_id
        ) as change
        where inbox.user_id = change.user_id;
        return null;
      end if;

      -- Whether one was read follows from the inbox as it is once it is locked: a request may be marking all of it as read.
      perform from notification_inboxes where user_id in (select user_id from lost) order by user_id for no key update;
      if tg_op = 'DELETE' then
        update notification_inboxes as inbox
        set total = inbox.total - change.total, unread = inbox.unread - change.unread
        from (
          select
            lost.user_id,
            count(*) as total,
            count(*) filter (where lost.read_at is null and lost.sequence > held.read_through) as unread
          from lost
          join notification_inboxes as held on held.user_id = lost.user_id
          group by lost.user_id
        ) as change
        where inbox.user_id = change.user_id;
      else
        update notification_inboxes as inbox
        set unread = inbox.unread - change.read
        from (
          select gained.user_id, count(*) as read
          from gained
          join lost on lost.id = gained.id
          join notification_inboxes as held on held.user_id = gained.user_id
          where lost.read_at is null
            and gained.read_at is not null
            and gained.sequence > held.read_through
          group by gained.user_id
        ) as change
        where inbox.user_id = change.user_id;
      end if;
      return null;
    end
  $$;

create trigger notifications_count_gained after insert on notifications
  referencing new table as gained
  for each statement execute function count_notifications();

create trigger notifications_count_lost after delete on notifications
  referencing old table as lost
  for each statement execute function count_notifications();

create trigger notifications_count_read after update on notifications
  referencing old table as lost new table as gained
  for each statement execute function count_notifications();

-- One row is how a user wants to be notified. Users who never set it have none.
create table notification_preferences (
  user_id         uuid primary key references users on delete cascade,
  email_enabled   boolean not null,
  desktop_enabled boolean not null,
  types           text[] not null,
  email_types     text[] not null,
  updated_at      timestamptz(3) not null
);

create trigger notification_preferences_touch before update on notification_preferences
  for each row execute function touch();
