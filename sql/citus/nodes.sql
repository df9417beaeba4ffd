-- Asks each node, so it takes as long as a connection may take. Its clock is read about in the middle between question and answer.
create or replace function ops.nodes() returns table (id integer, node text, online boolean, clock_offset numeric)
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      known record;
      asked timestamptz;
      told timestamptz;
    begin
      for known in select nodeid, nodename, nodeport from pg_dist_node where groupid > 0 and isactive order by nodeid loop
        id := known.nodeid;
        node := known.nodename || ':' || known.nodeport;
        online := citus_check_connection_to_node(known.nodename, known.nodeport);
        asked := clock_timestamp();
        select case when success then result::timestamptz end
        into told
        from master_run_on_worker(array[known.nodename], array[known.nodeport], array['select clock_timestamp()'], false)
        where online;
        clock_offset := round(extract(epoch from told - asked - (clock_timestamp() - asked) / 2), 3);
        return next;
      end loop;
    exception when insufficient_privilege then return;
    end
  $$;

create or replace function ops.moving_shards() returns table (shard bigint, from_node text, to_node text)
  language sql stable
  as $$
    select shardid, sourcename || ':' || sourceport, targetname || ':' || targetport
    from get_rebalance_progress()
    where table_name = 'organizations'::regclass
      and progress < 2
  $$;
