-- What grows without end is kept in partitions by time, so that forgetting is dropping a table: it takes moments, holds
-- nobody up, and leaves nothing to clean. Ids are UUIDv7, which begin with their time, and so the id is what tables are
-- parted by: who looks a row up by its id looks into one partition, and the primary key still holds over all of them.

-- Every id of that moment and later is at or above it; every earlier one is below.
create function partition_boundary(at timestamptz) returns uuid
  language sql immutable strict parallel safe
  as $$
    select (lpad(to_hex(floor(extract(epoch from at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
  $$;

-- Spans of every table begin at the same moments: weeks with their Monday.
create function partition_start(at timestamptz, span interval) returns timestamptz
  language sql immutable strict parallel safe
  as $$
    select date_bin(span, at, timestamptz '2024-01-01 00:00:00+00')
  $$;

-- The one column that a table is parted by.
create function partition_key(parent regclass) returns name
  language sql stable
  as $$
    select attname
    from pg_partitioned_table
    join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
    where partrelid = parent
  $$;

-- The partitions of a table, oldest first. Null is without end.
create function partitions_of(parent regclass, out partition regclass, out is_default boolean, out from_id uuid, out to_id uuid)
  returns setof record
  language sql stable
  as $$
    select
      child.oid::regclass,
      bound.text = 'DEFAULT',
      (regexp_match(bound.text, 'FROM \(''([-0-9a-f]{36})''\)'))[1]::uuid,
      (regexp_match(bound.text, 'TO \(''([-0-9a-f]{36})''\)'))[1]::uuid
    from pg_inherits
    join pg_class as child on child.oid = inhrelid
    cross join lateral (select pg_get_expr(child.relpartbound, child.oid) as text) as bound
    where inhparent = parent
    order by 3 nulls first
  $$;

-- Makes the partitions of a family of tables that are needed from one moment to another, and returns how many.
--
-- `family` are tables whose rows belong together, those that others refer to first. Each has a default partition
-- (`<table>_default`), so that no clock and no night without upkeep ever refuses a write. It is also the pattern of
-- all others: their indexes, their settings, and the keys that one partition has into another of the same span, which
-- cost less than keys between the tables as wholes, and go when their partition does. A span of which rows already lie
-- in a default partition stays there.
--
-- Only writes that go to the default partition wait, and for no longer than `lock_timeout`.
create function ensure_partitions(family regclass[], span interval, since timestamptz, until timestamptz) returns integer
  language plpgsql
  set lock_timeout = '1s'
  as $$
    declare
      made   integer := 0;
      start  timestamptz;
      parent regclass;
      fits   boolean;
      taken  boolean;
      suffix text;
      child  text;
      key    record;
    begin
      perform pg_advisory_xact_lock(hashtext('signalbox.partitions'));
      for start in select generate_series(partition_start(since, span), until, span) loop
        suffix := to_char(start at time zone 'UTC', '"_"YYYYMMDD');
        fits := true;
        foreach parent in array family loop
          execute format('select exists (select from %s_default where %s >= $1 and %2$s < $2)', parent, partition_key(parent))
            into taken using partition_boundary(start), partition_boundary(start + span);
          -- What is there already, or lies in a partition that reaches further, is as it should be.
          fits := fits and not taken and not exists (
            select
            from partitions_of(parent) as partition
            where not partition.is_default
              and (partition.from_id is null or partition.from_id < partition_boundary(start + span))
              and (partition.to_id is null or partition.to_id > partition_boundary(start))
          );
        end loop;
        continue when not fits;

        foreach parent in array family loop
          child := parent || suffix;
          execute format(
            'create table %s (like %s_default including all) %s',
            child, parent, (
              select coalesce('with (' || array_to_string(reloptions, ', ') || ')', '')
              from pg_class
              where oid = (parent || '_default')::regclass
            )
          );
          for key in
            select conname, replace(pg_get_constraintdef(oid), '_default(', suffix || '(') as definition
            from pg_constraint
            where conrelid = (parent || '_default')::regclass
              and contype = 'f'
              and conparentid = 0
          loop
            execute format('alter table %s add constraint %I %s', child, key.conname, key.definition);
          end loop;
          execute format(
            'alter table %s attach partition %s for values from (%L) to (%L)',
            parent, child, partition_boundary(start), partition_boundary(start + span)
          );
          made := made + 1;
        end loop;
      end loop;
      return made;
    end
  $$;

-- Takes the partitions of a family that end before a moment out of their tables, and returns how many; to drop what was
-- taken out is left to whoever calls, as that may take longer, and taking out needs each table for itself for an instant.
-- `waiting` is the table of the family whose rows may still have something before them: a span with a pending one stays.
create function detach_partitions(family regclass[], before timestamptz, waiting regclass default null) returns integer
  language plpgsql
  set lock_timeout = '1s'
  as $$
    declare
      taken   integer := 0;
      old     record;
      leaf    regclass;
      members regclass[];
      pending boolean;
    begin
      perform pg_advisory_xact_lock(hashtext('signalbox.partitions'));
      for old in
        select from_id, to_id from partitions_of(family[1]) where not is_default and to_id <= partition_boundary(before)
      loop
        -- As many as the family, in its order.
        select array_agg(child.partition order by member.place)
        into members
        from unnest(family) with ordinality as member (parent, place)
        cross join lateral partitions_of(member.parent) as child
        where child.from_id is not distinct from old.from_id
          and child.to_id = old.to_id;
        leaf := members[array_position(family, waiting)];
        if leaf is not null then
          execute format('select exists (select from %s where status = ''pending'')', leaf) into pending;
          continue when pending;
        end if;
        begin
          for place in reverse array_length(family, 1)..1 loop
            execute format('alter table %s detach partition %s', family[place], members[place]);
            execute format('comment on table %s is %L', members[place], 'Old, and to be dropped.');
          end loop;
          if leaf is not null then
            -- Nobody writes into it any more, and what was written is seen by now.
            execute format('select exists (select from %s where status = ''pending'')', leaf) into pending;
            if pending then raise exception 'pending' using errcode = 'PT001'; end if;
          end if;
          taken := taken + 1;
        exception when sqlstate 'PT001' then null;
        end;
      end loop;
      return taken;
    end
  $$;

-- What was taken out and is to be dropped: those first that refer to others.
create function detached_partitions(family regclass[]) returns setof regclass
  language sql stable
  as $$
    select child.oid::regclass
    from unnest(family) with ordinality as member (parent, place)
    join pg_class as table_of on table_of.oid = member.parent
    join pg_class as child
      on child.relnamespace = table_of.relnamespace
      and child.relname ~ ('^' || table_of.relname || '_[0-9]{8}$')
      and child.relkind = 'r'
      and not child.relispartition
      -- A copy that somebody made bears no such mark.
      and obj_description(child.oid, 'pg_class') = 'Old, and to be dropped.'
    order by member.place desc, child.relname
  $$;

create schema if not exists ops;

-- One row is one attempt of one job: which, for whom, how long it waited and ran, and how it went. It holds nothing of
-- what the job was about, and of an error its name alone.
create table ops.job_runs (
  id              uuid not null default uuidv7(),
  -- The one tenant that it worked for; null for work on behalf of all.
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

-- How a task fared in the last hour or day.
create index job_runs_task on ops.job_runs (task, finished_at);

create table ops.job_runs_default partition of ops.job_runs default;

select ensure_partitions('{ops.job_runs}', '1 day', now(), now() + interval '7 days');
