-- With the rights of the owner: PostgreSQL hides the sessions of an account from other accounts, unless they have
-- `pg_read_all_stats`.
create or replace function ops.vacuum_holders() returns table (pid integer, application text, age interval)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    select pid, application_name, now() - xact_start
    from pg_stat_activity
    where datname = current_database()
      and backend_type = 'client backend'
      and (backend_xmin is not null or backend_xid is not null)
      and xact_start < now() - interval '5 minutes'
    order by xact_start
  $$;

comment on function ops.vacuum_holders() is 'Sessions of this database whose transaction has been open for over 5 minutes and keeps vacuum from removing what was deleted since: its process id, its program, and how long it has been open.';
