-- The nodes of a Citus cluster. One PostgreSQL has none; on a cluster, `sql/citus/nodes.sql` replaces both functions.
drop function if exists ops.nodes(), ops.moving_shards();

create function ops.nodes() returns table (id integer, node text, online boolean, clock_offset numeric)
  language sql stable
  as $$ select null::integer, null::text, null::boolean, null::numeric where false $$;

create function ops.moving_shards() returns table (shard bigint, from_node text, to_node text)
  language sql stable
  as $$ select null::bigint, null::text, null::text where false $$;

comment on function ops.nodes() is 'The worker nodes of the Citus cluster: whether each can be reached from the coordinator, and by how many seconds its clock is ahead. None on one PostgreSQL.';
comment on function ops.moving_shards() is 'The shards that move to another node, with the same shards of all tables. None on one PostgreSQL.';
