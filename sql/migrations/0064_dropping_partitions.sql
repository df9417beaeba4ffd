-- Partitions are dropped with what is known of their rows, but for spans in which something waits.
create or replace function detach_partitions(family regclass[], before timestamptz, waiting regclass default null) returns integer
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
          execute format('select exists (select from deliveries join %s using (id, organization_id))', leaf) into pending;
          continue when pending;
        end if;
        begin
          for place in reverse array_length(family, 1)..1 loop
            execute format('alter table %s detach partition %s', family[place], members[place]);
            execute format('comment on table %s is %L', members[place], 'Old, and to be dropped.');
          end loop;
          if leaf is not null then
            -- Nobody writes into it any more, and what was written is seen by now.
            execute format('select exists (select from deliveries join %s using (id, organization_id))', leaf) into pending;
            if pending then raise exception 'pending' using errcode = 'PT001'; end if;
            delete from unsuccessful_deliveries
            where kind = case waiting when 'dispatches'::regclass then 'dispatch' else 'message' end
              and (old.from_id is null or id >= old.from_id)
              and id < old.to_id;
          end if;
          if waiting = 'dispatches'::regclass then
            delete from dispatch_counts
            where (old.from_id is null or span >= span_of(old.from_id))
              and span < span_of(old.to_id);
          end if;
          taken := taken + 1;
        exception when sqlstate 'PT001' then null;
        end;
      end loop;
      return taken;
    end
  $$;
