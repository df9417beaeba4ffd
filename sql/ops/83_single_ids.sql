-- The same for a single id, short enough for a row of ops.jobs. They run with the rights of the caller, who also needs the right
-- to execute ops.retry(text[], text) and ops.discard(text[], text).

create or replace function ops.retry(id text) returns text
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    select concat(done.kind || ' ', done.id, ': ', done.outcome) from ops.retry(array[retry.id]) as done
  $$;

comment on function ops.retry(text) is 'Retries one piece of work now, like ops.retry(text[], text): select ops.retry(''…'').';

create or replace function ops.discard(id text) returns text
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    select concat(done.kind || ' ', done.id, ': ', done.outcome) from ops.discard(array[discard.id], 'given up') as done
  $$;

comment on function ops.discard(text) is 'Discards one piece of work, like ops.discard(text[], text), with the reason "given up": select ops.discard(''…'').';
