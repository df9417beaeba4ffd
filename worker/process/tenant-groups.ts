/** Which tenants one transaction serves. */
import { sql } from '../../core/platform/database.ts'

/**
 * Splits tenants into groups for one transaction each: on one PostgreSQL all together, because larger batches cost less; on a cluster
 * (docs/citus.md) those whose rows one node has.
 */
export async function transactionsFor(tenants: string[]): Promise<string[][]> {
  if (tenants.length === 0) return []
  if (tenants.length === 1) return [tenants]
  const groups = await sql<{ ids: string[] }[]>`
    select array_agg(id order by place) as ids
    from unnest(${tenants}::uuid[]) with ordinality as tenant (id, place)
    group by transaction_group(id)
    order by min(place)
  `
  return groups.map(({ ids }) => ids)
}
