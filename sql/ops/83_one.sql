-- For one piece of work; short enough to stand in a row of ops.jobs. They run with the rights of the caller, who needs
-- those on ops.retry(text[], text) and ops.discard(text[], text), too.

create or replace function ops.retry(id text) returns text
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    select concat(done.kind || ' ', done.id, ': ', done.outcome) from ops.retry(array[retry.id]) as done
  $$;

comment on function ops.retry(text) is 'Tries one piece of work now, as ops.retry(text[], text) does: select ops.retry(''…'').';

create or replace function ops.discard(id text) returns text
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    select concat(done.kind || ' ', done.id, ': ', done.outcome) from ops.discard(array[discard.id], 'given up') as done
  $$;

comment on function ops.discard(text) is 'Gives one piece of work up, as ops.discard(text[], text) does, with the reason "given up": select ops.discard(''…'').';
