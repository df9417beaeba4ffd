-- A worker that stops leaves the sweeps to another at once.
alter table workers add column stopping boolean not null default false;

-- One row is a sweep of the workers: when it last succeeded and failed. The worker that sweeps writes it every few seconds.
create table ops.sweep_runs (
  name          text primary key,
  every_seconds numeric not null,
  succeeded_at  timestamptz(3),
  failed_at     timestamptz(3)
);
