-- One row is an event: a fact that was true when its transaction committed. It is written by the change
-- that it tells of, and fanned out by the drain, once. It holds no key to its workspace and project: an
-- event of what was deleted since is still a fact, and each key would be one more lock on every write.
create table outbox (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  workspace_id    uuid,
  project_id      uuid,
  name            text not null,
  data            jsonb not null check (jsonb_typeof(data) = 'object'),
  request_id      text,
  created_at      timestamptz(3) not null default now(),
  drained_at      timestamptz(3)
);

-- The drain: tenant by tenant, each in the order of its events. Only what waits is in it, so it stays
-- as small as the backlog.
create index outbox_waiting on outbox (organization_id, id) where drained_at is null;

-- One row is a worker process that is alive. Its heartbeat is apart from what it works on, because
-- beats on the rows of the work itself deadlocked with that work.
create table workers (
  id         uuid primary key,
  -- Under which graphile_worker locks its jobs.
  pool_id    text,
  hostname   text not null,
  pid        integer not null,
  -- Where its pid means something: a neighbour there can see at once that it is gone. Null where unknown.
  pid_space  text,
  started_at timestamptz(3) not null default now(),
  seen_at    timestamptz(3) not null default now()
);
