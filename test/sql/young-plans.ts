/** Plans as PostgreSQL makes them while tables are small, which are kept while they grow. */
import type { Sql, Tx } from '../../sql/index.ts'
import { PLANNER } from '../../sql/session.ts'

/** A node of `EXPLAIN (FORMAT JSON)`, of what is read here. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Join Filter'?: string
  Plans?: PlanNode[]
}

/** So many rows are what PostgreSQL has a look at by itself; after that, it takes a minute until it looks again. */
const YOUNG = { rows: 60, pages: 1 }

/** Makes PostgreSQL believe that all tables of the service are young. Partitions for later weeks stay as they were made: empty. */
async function makeYoung(tx: Tx): Promise<void> {
  await tx`
    select pg_restore_relation_stats(
      'schemaname', 'public', 'relname', relname::text, 'relpages', ${YOUNG.pages}::integer, 'reltuples', ${YOUNG.rows}::real
    )
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'i')
      and not (relispartition and relkind = 'r' and relname ~ '_\\d{8}$' and pg_relation_size(oid) = 0)
  `
}

/** The table that a node reads. A partition is known by its table; the default one is not, and is empty. */
const tableOf = (node: PlanNode): string => (node['Relation Name'] ?? '').replace(/_\d{8}$/, '')

const seeksKey = (condition = ''): boolean => /\bid = /.test(condition)

/** What of a plan reads a table whole, or looks for a key by other means than its index. */
function wasteOf(node: PlanNode, tables: Set<string>): string[] {
  const { Plans: inner = [], Filter: filter, 'Index Name': index, 'Index Cond': within, 'Join Filter': compared } = node
  const isScan = tables.has(tableOf(node))
  const isWhole = isScan && (node['Node Type'] === 'Seq Scan' || (index !== undefined && !within))
  const isSearched = inner.some((each) => tables.has(tableOf(each)) && !seeksKey(each['Index Cond']))
  const wastes = isWhole || (isScan && seeksKey(filter)) || (isSearched && seeksKey(compared))
  return [
    ...(wastes ? [`${index ?? node['Relation Name'] ?? node['Node Type']}: ${filter ?? compared ?? ''}`] : []),
    ...inner.flatMap((each) => wasteOf(each, tables)),
  ]
}

/** What a statement's plan for any parameters would waste. */
export async function wasteOfPlan(tx: Tx, text: string, tables: Set<string>): Promise<string[]> {
  const [row] = await tx.unsafe<{ 'QUERY PLAN': string }[]>(`explain (generic_plan, format json) ${text}`).simple()
  const plan = row?.['QUERY PLAN']
  const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: PlanNode }]
  return wasteOf(Plan, tables)
}

/** Looks at plans in a session such as the processes have, while all tables are young, and leaves everything as it was. */
export async function whileYoung<T>(sql: Sql, look: (tx: Tx) => Promise<T>): Promise<T> {
  const looked = Promise.withResolvers<T>()
  const rollback = new Error('This transaction is rolled back')
  await sql
    .begin(async (tx) => {
      await makeYoung(tx)
      await tx.unsafe(
        Object.entries(PLANNER)
          .map(([name, value]) => `set local ${name} = '${value}'`)
          .join('; '),
      )
      looked.resolve(await look(tx))
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
  return looked.promise
}
