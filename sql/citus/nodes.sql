-- Asks each node, so it takes as long as a connection may take.
create or replace function ops.nodes() returns table (node text, online boolean)
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select nodename || ':' || nodeport, citus_check_connection_to_node(nodename, nodeport)
        from pg_dist_node
        where groupid > 0
          and isactive
        order by nodeid;
    exception when insufficient_privilege then return;
    end
  $$;

comment on function ops.nodes() is 'The worker nodes of the Citus cluster and whether each can be reached from the coordinator.';
