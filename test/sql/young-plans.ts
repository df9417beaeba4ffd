/** Plans that PostgreSQL makes while tables are small, and keeps while they grow. */
import type { Sql, Tx } from '../../sql/index.ts'
import { PLANNER } from '../../sql/session.ts'

/** Lets no automatic analysis run: which statistics it leaves would depend on when it runs. */
export async function disableAutovacuum(sql: Sql): Promise<void> {
  await sql`
    do $$
      declare
        name text;
      begin
        for name in
          select relname
          from pg_class
          where relnamespace = 'public'::regnamespace
            and relkind = 'r'
        loop
          execute format('alter table %I set (autovacuum_enabled = off)', name);
        end loop;
      end
    $$
  `.simple()
}

/** The fields of a node of `EXPLAIN (FORMAT JSON)` that are used here. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Join Filter'?: string
  Plans?: PlanNode[]
}

/** What PostgreSQL may believe about tables that have many rows. */
export type Statistics = 'small tables' | 'small tables, empty queue'

/** About this many rows trigger the first automatic analysis. The next follows a minute later at the earliest. */
const SMALL = { rows: 60, pages: 1 }
/** Of a table that was vacuumed while it was empty: PostgreSQL takes it for empty until its next analysis, however much it grows. */
const EMPTY = { rows: 0, pages: 14 }

/** Sets the statistics of all tables. Empty partitions of later weeks keep theirs. */
async function setStatistics(tx: Tx, statistics: Statistics): Promise<void> {
  const empty = statistics === 'small tables' ? [] : ['deliveries']
  await tx`
    select pg_restore_relation_stats(
      'schemaname', 'public', 'relname', relname::text,
      'relpages', case when is_empty then ${EMPTY.pages}::integer else ${SMALL.pages} end,
      'reltuples', case when is_empty then ${EMPTY.rows}::real else ${SMALL.rows} end
    )
    from pg_class
    cross join lateral (select relname = any(${empty}) as is_empty) as known
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'i')
      and not (relispartition and relkind = 'r' and relname ~ '_\\d{8}$' and pg_relation_size(oid) = 0)
  `
}

/** The table that a node reads, for a partition the partitioned table. The empty default partition is ignored. */
const tableOf = (node: PlanNode): string => (node['Relation Name'] ?? '').replace(/_\d{8}$/, '')

const comparesId = (condition = ''): boolean => /\bid = /.test(condition)

/** The key columns of each B-tree, in their order. */
type Indexes = Map<string, string[]>

async function readIndexes(tx: Tx): Promise<Indexes> {
  const rows = await tx<{ name: string; columns: string[] }[]>`
    select pg_class.relname as name, array_agg(attname::text order by attnum) as columns
    from pg_index
    join pg_class on pg_class.oid = indexrelid
    join pg_am on pg_am.oid = relam and amname = 'btree'
    join pg_attribute on attrelid = indexrelid and attnum <= indnkeyatts
    where relnamespace = 'public'::regnamespace
    group by 1
  `
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/**
 * Whether PostgreSQL reads all entries of an index, because the condition lacks its first column; or all those of an organization, and
 * compares an id that is farther back.
 */
function readsAll(columns: string[] | undefined, condition: string | undefined): boolean {
  if (!columns || condition === undefined) return false
  const [first, second, ...rest] = columns.map((column) => new RegExp(`\\b${column}\\b`).test(condition))
  return !first || (columns[0] === 'organization_id' && !second && rest.includes(true) && comparesId(condition))
}

/** The parts of a plan that scan a whole table or index, filter by a key without its index, or read an organization to find one. */
function findWaste(node: PlanNode, tables: Set<string>, indexes: Indexes): string[] {
  const { Plans: inner = [], Filter: filter, 'Index Name': index, 'Index Cond': within, 'Join Filter': compared } = node
  const isScan = tables.has(tableOf(node))
  const isWhole = isScan && (node['Node Type'] === 'Seq Scan' || (index !== undefined && !within))
  const isSearched = inner.some((each) => tables.has(tableOf(each)) && !comparesId(each['Index Cond']))
  const isOfAll = isScan && readsAll(indexes.get(index ?? ''), within)
  const wastes = isWhole || isOfAll || (isScan && comparesId(filter)) || (isSearched && comparesId(compared))
  const condition = filter ?? compared ?? (isOfAll ? within : '')
  return [
    ...(wastes ? [`${index ?? node['Relation Name'] ?? node['Node Type']}: ${condition}`] : []),
    ...inner.flatMap((each) => findWaste(each, tables, indexes)),
  ]
}

/** The wasteful parts of the generic plan of a statement. */
export async function wasteOfPlan(tx: Tx, text: string, tables: Set<string>): Promise<string[]> {
  const [row] = await tx.unsafe<{ 'QUERY PLAN': string }[]>(`explain (generic_plan, format json) ${text}`).simple()
  const plan = row?.['QUERY PLAN']
  // A statement that a rule ignores has none.
  const plans = (typeof plan === 'string' ? JSON.parse(plan) : plan) as { Plan: PlanNode }[]
  const indexes = await readIndexes(tx)
  return plans.flatMap(({ Plan }) => findWaste(Plan, tables, indexes))
}

/**
 * Runs a function in a transaction with the planner settings of the processes and outdated statistics, and rolls it back.
 */
export async function withStatistics<T>(sql: Sql, statistics: Statistics, run: (tx: Tx) => Promise<T>): Promise<T> {
  const result = Promise.withResolvers<T>()
  const rollback = new Error('This transaction is rolled back')
  await sql
    .begin(async (tx) => {
      await setStatistics(tx, statistics)
      await tx.unsafe(
        Object.entries(PLANNER)
          .map(([name, value]) => `set local ${name} = '${value}'`)
          .join('; '),
      )
      result.resolve(await run(tx))
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
  return result.promise
}
