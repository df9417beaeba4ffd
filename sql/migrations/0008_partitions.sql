-- Tables that grow without end are partitioned by time, so that old rows are removed by dropping a table: it takes moments,
-- blocks nothing and leaves nothing to vacuum. Ids are UUIDv7, which start with their time, and so the id is the partition
-- key: a look-up by id reads one partition, and the primary key still covers all of them.
--
-- A partitioned table starts with only a default partition. `ensure_partitions` makes the others (sql/partitions.ts says which
-- and when).

-- Every id of that moment and later is at or above it; every earlier one is below.
create function partition_boundary(at timestamptz) returns uuid
  language sql immutable strict parallel safe
  as $$
    select (
      lpad(to_hex(floor(extract(epoch from at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint), 12, '0') || repeat('0', 20)
    )::uuid
  $$;

-- Spans of every table start at the same moments: weeks on Monday.
create function partition_start(at timestamptz, span interval) returns timestamptz
  language sql immutable strict parallel safe
  as $$
    select date_bin(span, at, timestamptz '2024-01-01 00:00:00+00')
  $$;

-- The one column that a table is partitioned by.
create function partition_key(parent regclass) returns name
  language sql stable
  as $$
    select attname
    from pg_partitioned_table
    join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
    where partrelid = parent
  $$;

-- The partitions of a table, oldest first. Null is unbounded.
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

-- Makes the partitions of a family of tables that are needed for a span of time, and returns how many.
--
-- `family` are tables whose rows belong together, those that others refer to first. Each has a default partition
-- (`<table>_default`), so that a write never fails for lack of a partition. It is also the template of all others: their
-- indexes, their settings, and the foreign keys that one partition has to another of the same span, which cost less than keys
-- between the whole tables, and are dropped with their partition. A span of which rows already lie in a default partition
-- stays there.
--
-- Only writes to the default partition wait, and for no longer than `lock_timeout`.
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
          execute format('select exists (select 1 from %s_default where %s >= $1 and %2$s < $2)', parent, partition_key(parent))
            into taken using partition_boundary(start), partition_boundary(start + span);
          -- What exists already, or lies in a partition that reaches further, stays.
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
          execute format(
            'alter table %s attach partition %s for values from (%L) to (%L)',
            parent, child, partition_boundary(start), partition_boundary(start + span)
          );
          -- Last: a partition refers to others as soon as it is one.
          for key in
            select conname, replace(pg_get_constraintdef(oid), '_default(', suffix || '(') as definition
            from pg_constraint
            where conrelid = (parent || '_default')::regclass
              and contype = 'f'
              and conparentid = 0
          loop
            execute format('alter table %s add constraint %I %s', child, key.conname, key.definition);
          end loop;
          made := made + 1;
        end loop;
      end loop;
      return made;
    end
  $$;

-- Detaches the partitions of a family that end before a moment from their tables, deletes what other tables know of their
-- rows, and returns how many it detached. The caller drops them: that may take longer, and detaching needs an exclusive lock on
-- each table for an instant. `waiting` is the table of the family whose rows may be pending: a span with a row in `deliveries`
-- stays.
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
          execute format('select exists (select 1 from deliveries join %s using (id, organization_id))', leaf) into pending;
          continue when pending;
        end if;
        begin
          for place in reverse array_length(family, 1)..1 loop
            execute format('alter table %s detach partition %s', family[place], members[place]);
            execute format('comment on table %s is %L', members[place], 'Old, and to be dropped.');
          end loop;
          if leaf is not null then
            -- Detached, it gets no more writes, and what was written is visible by now.
            execute format('select exists (select 1 from deliveries join %s using (id, organization_id))', leaf) into pending;
            if pending then raise exception 'pending' using errcode = 'PT001'; end if;
            delete from unsuccessful_deliveries
            where kind = case waiting when 'dispatches'::regclass then 'dispatch' else 'message' end
              and (old.from_id is null or id >= old.from_id)
              and id < old.to_id;
          end if;
          if waiting = 'dispatches'::regclass then
            delete from dispatch_counts
            where (old.from_id is null or week >= id_week(old.from_id))
              and week < id_week(old.to_id);
          end if;
          taken := taken + 1;
        exception when sqlstate 'PT001' then null;
        end;
      end loop;
      return taken;
    end
  $$;

-- The detached partitions that are to be dropped, those that refer to others first.
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
      -- A copy that an operator made has no such comment.
      and obj_description(child.oid, 'pg_class') = 'Old, and to be dropped.'
    order by member.place desc, child.relname
  $$;
