-- Every key of a tenant's table holds its organization, so that the tables can lie on many machines, an organization
-- each with all that is its own on one of them: a key can be upheld only where all of its rows are. An id is still the
-- first column of its primary key, and so is still found by itself; ids are UUIDs, so nothing is held less than before.
--
-- This migration makes what is needed beside what is there; the next one puts it in its place, which takes moments. Here
-- writes wait while indexes are built, reads do not. Where tables are large, the indexes of this file may be built before
-- it, by hand and `concurrently`, under the names that it gives them: those that are there are left as they are.

-- Takes all tables of tenants for a migration: this one and the next, which lets go of it. Whoever writes takes several in
-- an order of their own: so none is waited for long while others are held, and where one is not to be had, all are let go,
-- and it begins anew. Nobody is in the way of whom waits for them.
create function lock_tenants(mode text) returns void
  language plpgsql
  as $$
    declare
      tenant regclass;
    begin
      for attempt in 1..100 loop
        begin
          -- Less than `deadlock_timeout`, so that it is never a writer that has to give way.
          set local lock_timeout = '200ms';
          for tenant in
            select pg_class.oid
            from pg_class
            join pg_attribute on attrelid = pg_class.oid and attname = 'organization_id' and attnotnull
            where relnamespace = 'public'::regnamespace
              and relkind in ('r', 'p')
              and not relispartition
              -- A user has one inbox over all organizations: it is the user's, and its keys with it.
              and relname <> 'notifications'
            order by pg_class.oid
          loop
            execute format('lock table %s in %s mode', tenant, mode);
          end loop;
          return;
        exception when lock_not_available or deadlock_detected then
          perform pg_sleep(random() * 0.1);
        end;
      end loop;
      raise exception 'The tables of tenants were not to be had; run the migration again when less is written.'
        using errcode = 'lock_not_available';
    end
  $$;

select lock_tenants('share row exclusive');

-- Unique indexes: those of tables, and those of each partition, as an index can be given to a partition alone.
do $$
  declare
    index record;
  begin
    for index in
      select
        pg_class.relname || '_new' as new_name,
        -- The columns are the first parentheses of a definition that end before another clause, or with it.
        regexp_replace(
          regexp_replace(pg_get_indexdef(indexrelid), '^CREATE UNIQUE INDEX \S+ ON (ONLY )?', ''),
          '\)(?= NULLS NOT DISTINCT| WHERE |$)', ', organization_id)'
        ) as definition
      from pg_index
      join pg_class on pg_class.oid = indexrelid
      join pg_class as tenant on tenant.oid = indrelid
      join pg_attribute as place on place.attrelid = indrelid and place.attname = 'organization_id' and place.attnotnull
      where tenant.relnamespace = 'public'::regnamespace
        and tenant.relkind = 'r'
        and tenant.relname <> 'notifications'
        and indisunique
        and not place.attnum = any(indkey)
      order by indrelid, indexrelid
    loop
      execute format('create unique index if not exists %I on %s', index.new_name, index.definition);
    end loop;
  end
$$;

-- Foreign keys between tables of tenants. They are held for what is written from now on; what is there is looked at by
-- the next migration, for which nobody waits.
do $$
  declare
    key record;
  begin
    for key in
      select
        conrelid::regclass as tenant,
        conname || '_new' as new_name,
        regexp_replace(
          pg_get_constraintdef(pg_constraint.oid),
          '\(([^)]*)\) REFERENCES (\S+)\(([^)]*)\)',
          '(\1, organization_id) REFERENCES \2(\3, organization_id)'
        ) as definition
      from pg_constraint
      join pg_attribute as here on here.attrelid = conrelid and here.attname = 'organization_id' and here.attnotnull
      join pg_attribute as there on there.attrelid = confrelid and there.attname = 'organization_id' and there.attnotnull
      where connamespace = 'public'::regnamespace
        and contype = 'f'
        and conparentid = 0
        and conrelid <> 'notifications'::regclass
        and not here.attnum = any(conkey)
    loop
      execute format('alter table %s add constraint %I %s not valid', key.tenant, key.new_name, key.definition);
    end loop;
  end
$$;

-- What the version before names in its `on conflict`: an index of just these columns. The next release drops them.
create unique index workspace_members_before on workspace_members (workspace_id, user_id);
create unique index workspace_spend_before on workspace_spend (workspace_id, month);
create unique index api_descriptions_before on api_descriptions (project_id);
create unique index workflow_templates_before on workflow_templates (place_id);
create unique index deliverable_versions_before on deliverable_versions (project_id, deliverable_type, requirement_id);
create unique index hook_receivers_before on hook_receivers (hook_id);
