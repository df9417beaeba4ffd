/** The functions by which the worker finds what waits, as a cluster can run them. */
import type { Tx } from '../index.ts'

/**
 * Functions that statements call on a node. They read what is on it: rows of the same organization, and the table with a copy on every node.
 */
export const CALLED_ON_NODES = ['actor_of', 'environment_figures', 'has_enough_approvals', 'names_in', 'usage_of']

/**
 * What waits is read from all shards, which recursive queries cannot do. While a node is away, it is read from the shards of the others.
 */
export async function createTenantScans(tx: Tx): Promise<void> {
  for (const name of CALLED_ON_NODES) await tx`alter function ${tx(name)} set citus.allow_nested_distributed_execution = on`
  await createReachableTenants(tx)
  await replaceWaitingTenants(tx)
  await replaceUnsealedTenants(tx)
}

/** The organizations of the nodes that the coordinator reaches. */
async function createReachableTenants(tx: Tx): Promise<void> {
  await tx`
    create or replace function reachable_tenants() returns setof uuid
      language plpgsql
      as $$
        declare
          ids uuid[] := array(select organization_id from organization_names);
        begin
          -- Materialized, so that each node is queried once, and the shard of each tenant computed once.
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

async function replaceWaitingTenants(tx: Tx): Promise<void> {
  await tx`
    create or replace function waiting_tenants(age interval default '0') returns table (organization_id uuid, first_id uuid)
      language plpgsql stable
      as $$
        begin
          return query
            select event.organization_id, (min(event.id::text))::uuid
            from outbox as event
            join organizations as organization on organization.id = event.organization_id
            where event.drained_at is null
              and event.created_at <= now() - age
              and (event.retry_at is null or event.retry_at <= now())
              and organization.deleted_at is null
            group by event.organization_id
            order by 2;
        exception when connection_exception then
          return query execute $reachable$
            select event.organization_id, (min(event.id::text))::uuid
            from outbox as event
            join organizations as organization on organization.id = event.organization_id
            where event.organization_id = any($1)
              and organization.id = any($1)
              and event.drained_at is null
              and event.created_at <= now() - $2
              and (event.retry_at is null or event.retry_at <= now())
              and organization.deleted_at is null
            group by event.organization_id
            order by 2
          $reachable$ using array(select reachable_tenants()), age;
        end
      $$
  `
}

async function replaceUnsealedTenants(tx: Tx): Promise<void> {
  await tx`
    create or replace function unsealed_tenants(after uuid, most integer) returns setof uuid
      language plpgsql stable
      as $$
        begin
          return query
            select organization_id
            from audit_log_unsealed
            where organization_id > after
            group by organization_id
            order by organization_id
            limit most;
        exception when connection_exception then
          return query execute $reachable$
            select organization_id
            from audit_log_unsealed
            where organization_id = any($1)
              and organization_id > $2
            group by organization_id
            order by organization_id
            limit $3
          $reachable$ using array(select reachable_tenants()), after, most;
        end
      $$
  `
}
