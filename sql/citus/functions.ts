/** Functions of the database that are different on a cluster, or only there. */
import type { Tx } from '../index.ts'
import { createPaths } from './paths.ts'

/** Functions that statements call on a node. They read what is on it: rows of the same organization, and `people`. */
const CALLED_ON_NODES = ['actor_of', 'environment_figures', 'has_enough_approvals', 'names_in', 'usage_of']

/** Creates them, or again what a migration has replaced. */
export async function createFunctions(tx: Tx): Promise<void> {
  await createPaths(tx)
  for (const name of CALLED_ON_NODES) await tx`alter function ${tx(name)} set citus.allow_nested_distributed_execution = on`
  // The organizations of the nodes that the coordinator reaches. Materialized: each node is queried once.
  await tx`
    create or replace function reachable_tenants() returns setof uuid
      language plpgsql
      as $$
        declare
          ids uuid[] := array(select organization_id from organization_names);
        begin
          return query
            with node as materialized (
              select groupid
              from pg_dist_node
              where isactive
                and citus_check_connection_to_node(nodename, nodeport)
            ),
            reachable as materialized (
              select shardid
              from pg_dist_shard
              join pg_dist_placement using (shardid)
              join node using (groupid)
              where logicalrelid = 'organizations'::regclass
            ),
            tenant as materialized (
              select id, get_shard_id_for_distribution_column('organizations', id) as shardid
              from unnest(ids) as named (id)
            )
            select tenant.id
            from tenant
            join reachable using (shardid);
        end
      $$
  `
}
