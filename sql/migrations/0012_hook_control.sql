-- What keeps a late deploy from undoing a newer one, and a hook from being lost when its receiver is down. All of it
-- has defaults under which the version before this one goes on working.
alter table deployment_hooks
  add column max_age_seconds integer check (max_age_seconds between 60 and 604800),
  add column supersede boolean not null default false,
  add column paused boolean not null default false,
  -- The secret before the last rotation; it signs beside the new one until then.
  add column previous_secret bytea,
  add column previous_secret_until timestamptz(3);

drop trigger deployment_hooks_touch on deployment_hooks;

create trigger deployment_hooks_touch
  before update of name, url, secret, trigger_on, environment, headers, enabled, disabled_reason,
                   max_age_seconds, supersede, paused, previous_secret, previous_secret_until
  on deployment_hooks
  for each row execute function touch();

-- One row is how the receiver of a hook fares: written by whoever serves the hook's lane, and apart from the lane
-- itself, which the drain writes. Failures count since the last success.
create table hook_receivers (
  hook_id          uuid primary key references deployment_hooks on delete cascade,
  organization_id  uuid not null,
  last_success_at  timestamptz(3),
  failures         integer not null default 0,
  first_failure_at timestamptz(3),
  last_failure_at  timestamptz(3),
  -- Its last attempt timed out: it gets one request at a time until one succeeds.
  is_slow          boolean not null default false
) with (fillfactor = 70);

-- A redelivery waits as its first dispatch did: "is one of this payload under way already?"
create index dispatches_first on dispatches (coalesce(redelivery_of, id)) where status = 'pending';

-- What `recover` looks through.
create index dispatches_unsuccessful on dispatches (hook_id, created_at) where status in ('failed', 'cancelled');
