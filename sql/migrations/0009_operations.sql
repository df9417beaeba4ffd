-- What operators and processes see of each other. The views and functions of the schema `ops` are in sql/ops; each release
-- creates them again.
create schema if not exists ops;

-- One row is a worker process that is alive. Its heartbeat is not on the rows that it works on, because heartbeats there
-- deadlocked with the work.
create table workers (
  id         uuid primary key,
  -- The name under which graphile-worker locks its jobs.
  pool_id    text,
  hostname   text not null,
  pid        integer not null,
  -- The namespace of the pid: a worker in the same one sees at once that this one has ended. Null where unknown.
  pid_space  text,
  started_at timestamptz(3) not null default now(),
  seen_at    timestamptz(3) not null default now(),
  -- A worker that stops leaves the sweeps to another at once.
  stopping   boolean not null default false
);

-- What the last heartbeat of a process says about it. A worker sends one every 5 seconds (worker/process/heartbeat.ts). A stale
-- one sends no requests any more; a dead one has none in flight any more, so others take over what it held.
create function process_status(seen_at timestamptz) returns text
  language sql stable strict parallel safe
  as $$
    select case
      when seen_at > now() - interval '15 seconds' then 'online'
      when seen_at > now() - interval '35 seconds' then 'stale'
      else 'dead'
    end
  $$;

-- One row is one attempt of one job: which, for whom, how long it waited and ran, and how it ended. It contains nothing of
-- the job's payload, and of an error its class alone.
create table ops.job_runs (
  id              uuid not null default uuidv7(),
  -- The tenant that it worked for; null for work on behalf of all.
  organization_id uuid,
  job_id          bigint not null,
  task            text not null,
  attempt         integer not null,
  outcome         text not null check (outcome in ('succeeded', 'retrying', 'failed')),
  error_class     text,
  wait_ms         integer not null,
  run_ms          integer not null,
  worker_id       uuid,
  started_at      timestamptz(3) not null,
  finished_at     timestamptz(3) not null,
  primary key (id)
) partition by range (id);

-- How a task did in the last hour or day.
create index job_runs_task on ops.job_runs (task, finished_at);

create table ops.job_runs_default partition of ops.job_runs default;

-- One row is a sweep of the workers: when it last succeeded and failed. The worker that sweeps writes it every few seconds.
create table ops.sweep_runs (
  name          text primary key,
  every_seconds numeric not null,
  succeeded_at  timestamptz(3),
  failed_at     timestamptz(3)
);

-- One row is work that an operator paused: of one tenant (`org:<id>`), or of one task (`task:<name>`). Workers read the table
-- every other second and start no job with such a flag. An expired row pauses nothing.
create table ops.pauses (
  flag             text primary key check (flag ~ '^(org:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|task:[a-z_]+)$'),
  reason           text not null check (length(reason) between 1 and 1000),
  until            timestamptz(3),
  paused_at        timestamptz(3) not null default now(),
  paused_by        text not null default session_user,
  application_name text not null default current_setting('application_name')
);

comment on table ops.pauses is 'Paused work. Write it with ops.pause and ops.resume; read it in ops.paused.';

-- One row is a change that an operator made by a function of this schema: who, what and why. Never updated.
create table ops.actions (
  id               uuid primary key default uuidv7(),
  at               timestamptz(3) not null default now(),
  actor            text not null default session_user,
  application_name text not null default current_setting('application_name'),
  action           text not null,
  -- What it was applied to: flags, ids, or the criteria of retry_failed.
  targets          text[] not null,
  -- How many jobs, events, dispatches, messages or workers it changed.
  affected         integer not null,
  reason           text
);

comment on table ops.actions is 'Changes made by operators. The functions of this schema write it; read it in ops.action_log.';

-- One row is one series of a metric, summed over all processes that ever ran: each adds what it counted since it last did so.
-- So a counter never decreases when a process ends, and every API process can serve the metrics of the workers, which have no
-- port of their own. `amounts` is the count of a counter; of a histogram the sum, then a count for each bucket.
create table metric_totals (
  name    text not null,
  -- In the text format of Prometheus: `task="drain_outbox",outcome="succeeded"`.
  labels  text not null,
  amounts double precision[] not null,
  primary key (name, labels)
) with (fillfactor = 50);

-- One row is a live process and its gauges: its memory, what is in flight. The others delete a row that was not updated for a
-- minute.
create table process_gauges (
  id       uuid primary key,
  process  text not null check (process in ('api', 'worker')),
  instance text not null,
  gauges   jsonb not null,
  seen_at  timestamptz(3) not null default now()
);
