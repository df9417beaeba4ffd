/** Where the tables are on a Citus cluster: distributed by organization, copied to every node, or on the coordinator. */
import type { Queryable } from '../index.ts'
import { at, type Node } from './tree.ts'

/** Distributed by its id; all other distributed tables are colocated with it. */
export const ORGANIZATIONS = 'organizations'

/** A copy on every node: what tenants' statements join of the users. On plain PostgreSQL it is a view of them. */
export const PEOPLE = 'people'

/** Tables with an organization in each row that stay on the coordinator, with the reason. */
const ON_COORDINATOR: Record<string, string> = {
  member_organizations: 'the organizations of a user are looked up over all of them',
  organization_names: 'unique over all organizations',
  github_bindings: 'deliveries of GitHub find their organization by it',
  notifications: 'an inbox belongs to a user, over all organizations',
  sso_connections: 'found by their ids when people sign on, of whom nothing is known yet',
  sso_domains: 'a verified domain is unique over all organizations',
  sso_newcomers: 'they belong to sessions',
}

/**
 * Tables on the coordinator that Citus manages. PostgreSQL commits by itself what a transaction wrote to any other table of the
 * coordinator, after Citus has committed what it wrote to the nodes; these are part of one two-phase commit with the nodes.
 */
export const MANAGED = ['organization_names', 'member_organizations', 'idempotency_keys', 'two_phases', 'github_bindings']

/** Foreign keys that a cluster cannot keep, with what keeps the rows consistent instead. */
export const DROPPED_KEYS: Record<string, string> = {
  personal_tokens_member: 'a trigger of the copy of the members deletes the tokens',
  notifications_organization_id_fkey: 'the purge of an organization deletes its notifications',
  organization_names_organization: 'deleting an organization deletes its names',
  lanes_owner_id_fkey: 'taking over from a worker frees its lanes, and a sweep those of workers that are unknown',
}

/** A foreign key, as a distributed table can have it. */
export function keptKey(key: Node): Node {
  const { pktable, fk_del_set_cols, fk_del_action, ...kept } = at(key, 'Constraint') as Node
  const referred = pktable as Node
  return {
    Constraint: {
      ...kept,
      pktable: referred.relname === 'users' ? { ...referred, relname: PEOPLE } : referred,
      // Setting only some columns to null is not supported.
      fk_del_action: fk_del_set_cols ? 'a' : fk_del_action,
    },
  }
}

/** Whether the server has the Citus extension. */
export async function isCitus(sql: Queryable): Promise<boolean> {
  const [found] = await sql`select from pg_extension where extname = 'citus'`
  return found !== undefined
}

/** Whether `distribute` has run, entirely or in part. */
export async function isDistributed(sql: Queryable): Promise<boolean> {
  const [{ exists }] = await sql<[{ exists: boolean }]>`select to_regclass('public.distribution_steps') is not null as exists`
  return exists
}

/** The tables to distribute: those with an organization in each row, the organizations first. */
export async function tenantTables(sql: Queryable): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
      and relname <> all(${Object.keys(ON_COORDINATOR)})
      and (
        relname = ${ORGANIZATIONS}
        or exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id' and attnotnull)
      )
    order by relname <> ${ORGANIZATIONS}, relname
  `
  return tables.map(({ name }) => name)
}

/** The nodes of the cluster that the coordinator cannot reach, with their ports. Takes as long as a connection may take. */
export async function unreachableNodes(sql: Queryable): Promise<string[]> {
  const nodes = await sql<{ name: string }[]>`
    select nodename || ':' || nodeport as name
    from pg_dist_node
    where groupid > 0
      and isactive
      and not citus_check_connection_to_node(nodename, nodeport)
    order by nodeid
  `
  return nodes.map(({ name }) => name)
}

/**
 * Sets the defaults of the sessions of a database, or this one: a transaction may write to tables of tenants first, and then to one with a copy on
 * every node; what it sets applies on the nodes as well.
 */
export async function setSessionDefaults(sql: Queryable, database: string | null = null): Promise<void> {
  const [{ name }] = await sql<[{ name: string }]>`select coalesce(${database}, current_database()::text) as name`
  await sql`alter database ${sql(name)} set citus.multi_shard_modify_mode = 'sequential'`
  await sql`alter database ${sql(name)} set citus.propagate_set_commands = 'local'`
}
