create schema if not exists ops;

-- One row is work that ops have stopped: of one tenant (`org:<id>`), or of one kind (`task:<name>`). Workers read them
-- every other second, and begin nothing that bears such a flag. One whose time is over stops nothing.
create table ops.pauses (
  flag             text primary key check (flag ~ '^(org:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|task:[a-z_]+)$'),
  reason           text not null check (length(reason) between 1 and 1000),
  until            timestamptz(3),
  paused_at        timestamptz(3) not null default now(),
  paused_by        text not null default session_user,
  application_name text not null default current_setting('application_name')
);

comment on table ops.pauses is 'Work that is stopped. Write it through ops.pause and ops.resume; read it in ops.paused.';

-- One row is something that somebody changed by a function of this schema: who, what and why. Never updated.
create table ops.actions (
  id               uuid primary key default uuidv7(),
  at               timestamptz(3) not null default now(),
  actor            text not null default session_user,
  application_name text not null default current_setting('application_name'),
  action           text not null,
  -- What it was done to: flags, ids, or what retry_failed was told to choose by.
  targets          text[] not null,
  -- How many jobs, events, dispatches, messages or workers it changed.
  affected         integer not null,
  reason           text
);

comment on table ops.actions is 'What ops have changed. The functions of this schema write it; read it in ops.action_log.';

-- "Which events could not be fanned out?", over all tenants, whatever waits beside them.
create index outbox_broken on outbox (failed_at) where drained_at is null and failed_at is not null;
