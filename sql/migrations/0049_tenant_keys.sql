-- The keys that the migration before made take the place of those without an organization. What was there is looked at
-- before anybody has to wait: checking a foreign key stops nobody who reads or writes.
do $$
  declare
    key record;
  begin
    for key in
      select conrelid::regclass as tenant, conname from pg_constraint where contype = 'f' and not convalidated and conname like '%\_new'
    loop
      execute format('alter table %s validate constraint %I', key.tenant, key.conname);
    end loop;
  end
$$;

-- From here on it takes moments: names change, and old indexes go.
select lock_tenants('access exclusive');
drop function lock_tenants;

-- Foreign keys first: they hold on to the indexes.
do $$
  declare
    key record;
  begin
    for key in
      select conrelid::regclass as tenant, left(conname, -4) as name, conname as new_name
      from pg_constraint
      where contype = 'f' and conname like '%\_new' and conparentid = 0
    loop
      execute format('alter table %s drop constraint %I', key.tenant, key.name);
      execute format('alter table %s rename constraint %I to %I', key.tenant, key.new_name, key.name);
    end loop;
  end
$$;

-- The unique index of some columns and the organization that takes a key's place in a table or a partition. It is found
-- by what it is: a partition that was made since the migration before has it under a name of its own.
create or replace function pg_temp.index_with_organization(tenant regclass, columns name[]) returns name
  language sql stable
  as $$
    select relname
    from pg_index
    join pg_class on pg_class.oid = indexrelid
    where indrelid = tenant
      and indisunique
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
      and columns || name 'organization_id' = array(
        select attname
        from unnest(indkey) with ordinality as part (number, place)
        join pg_attribute on attrelid = tenant and attnum = part.number
        order by place
      )
    limit 1
  $$;

do $$
  declare
    key  record;
    leaf regclass;
    kind text;
  begin
    -- Primary keys and unique constraints, of partitioned tables with those of all their partitions.
    for key in
      select
        conrelid::regclass as tenant, conname, contype, tenant.relkind,
        array(
          select attname
          from unnest(conkey) with ordinality as part (number, place)
          join pg_attribute on attrelid = conrelid and attnum = part.number
          order by place
        ) as columns
      from pg_constraint
      join pg_class as tenant on tenant.oid = conrelid
      join pg_attribute as place on place.attrelid = conrelid and place.attname = 'organization_id' and place.attnotnull
      where connamespace = 'public'::regnamespace
        and contype in ('p', 'u')
        and conparentid = 0
        and conrelid <> 'notifications'::regclass
        and not place.attnum = any(conkey)
    loop
      kind := case key.contype when 'p' then 'primary key' else 'unique' end;
      execute format('alter table %s drop constraint %I', key.tenant, key.conname);
      if key.relkind = 'r' then
        execute format(
          'alter table %s add constraint %I %s using index %I',
          key.tenant, key.conname, kind, pg_temp.index_with_organization(key.tenant, key.columns)
        );
      else
        for leaf in select partition from partitions_of(key.tenant) loop
          execute format(
            'alter table %s add constraint %I %s using index %I',
            leaf, leaf || '_pkey', kind, pg_temp.index_with_organization(leaf, key.columns)
          );
        end loop;
        -- It finds those of the partitions, and builds none.
        execute format(
          'alter table %s add constraint %I %s (%s, organization_id)',
          key.tenant, key.conname, kind, array_to_string(key.columns, ', ')
        );
      end if;
    end loop;
  end
$$;

-- Unique indexes that are no constraints: those without an organization go, but for what the version before needs.
do $$
  declare
    index record;
  begin
    for index in
      select pg_class.relname as name
      from pg_index
      join pg_class on pg_class.oid = indexrelid
      join pg_class as tenant on tenant.oid = indrelid
      join pg_attribute as place on place.attrelid = indrelid and place.attname = 'organization_id' and place.attnotnull
      where tenant.relnamespace = 'public'::regnamespace
        and tenant.relkind = 'r'
        and tenant.relname <> 'notifications'
        and indisunique
        and not place.attnum = any(indkey)
        and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
        and pg_class.relname not like '%\_before'
    loop
      execute format('drop index %I', index.name);
    end loop;
    for index in
      select relname as new_name, left(relname, -4) as name
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'i' and relname like '%\_new'
    loop
      execute format('alter index %I rename to %I', index.new_name, index.name);
    end loop;
  end
$$;

-- Of workspaces and runtimes, the primary key is now what others referred to beside it: they refer to it.
do $$
  declare
    keys record;
  begin
    for keys in
      select
        confrelid::regclass as place, index.relname as name,
        array_agg(format('alter table %s drop constraint %I', conrelid::regclass, conname)) as drops,
        array_agg(format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))) as adds
      from pg_constraint
      join pg_class as index on index.oid = conindid
      where contype = 'f'
        and index.relname in ('workspaces_place_key', 'runtimes_place_key')
      group by 1, 2
    loop
      execute array_to_string(keys.drops, ';');
      execute format('alter table %s drop constraint %I', keys.place, keys.name);
      execute array_to_string(keys.adds, ';');
    end loop;
  end
$$;
