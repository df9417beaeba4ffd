-- One row is one series of a metric, over all processes that ever were: each adds to it what it counted since it did so
-- last. So a counter never goes backwards when a process ends, and every API process can show the workers' figures,
-- which have no port of their own. `amounts` is the count of a counter; of a histogram the sum, then a count a bucket.
create table figures (
  name       text not null,
  -- As the text format of Prometheus has them: `task="drain_outbox",outcome="succeeded"`.
  labels     text not null,
  amounts    double precision[] not null,
  primary key (name, labels)
) with (fillfactor = 50);

-- One row is a process that lives, and what it says of itself: its memory, what it has under way. Whoever is silent
-- for a minute is taken out by the others.
create table process_figures (
  id       uuid primary key,
  process  text not null check (process in ('api', 'worker')),
  instance text not null,
  gauges   jsonb not null,
  seen_at  timestamptz(3) not null default now()
);
