/**
 * The rows of a database as plain SQL, for a database with the same migrations. The embedded PostgreSQL has no `pg_dump`, and a dump
 * of the schema is not needed: the migrations of a release never change.
 */
import type { Sql } from '../../sql/index.ts'

interface Table {
  name: string
  columns: string[]
}

/** What the migrations fill, and what belongs to processes that have ended. */
const LEFT_OUT = [
  'public.schema_migrations',
  'graphile_worker.migrations',
  'public.workers',
  'public.process_gauges',
  'public.metric_totals',
  'ops.job_runs',
  'ops.sweep_runs',
]

/** Every table with its columns, except generated ones. */
export const tablesOf = (sql: Sql): Promise<Table[]> => sql<Table[]>`
  select format('%I.%I', nspname, relname) as name, array_agg(quote_ident(attname) order by attnum) as columns
  from pg_class as relation
  join pg_namespace as schema on schema.oid = relnamespace
  join pg_attribute on attrelid = relation.oid
  where relkind in ('r', 'p')
    and not relispartition
    and nspname in ('public', 'ops', 'graphile_worker')
    and attnum > 0
    and not attisdropped
    and attgenerated = ''
    and format('%I.%I', nspname, relname) <> all(${LEFT_OUT})
  group by nspname, relname
  order by 1
`

async function insertsInto(sql: Sql, { name, columns }: Table): Promise<string> {
  const rows = await sql.unsafe<{ values: string }[]>(
    `select concat_ws(', ', ${columns.map((column) => `quote_nullable(${column}::text)`)}) as values from ${name} order by 1`,
  )
  if (rows.length === 0) return ''
  const values = rows.map((row) => `  (${row.values})`).join(',\n')
  return `insert into ${name} (${columns.join(', ')}) overriding system value values\n${values};\n\n`
}

/** The rows of all tables. */
export async function dump(sql: Sql): Promise<string> {
  const tables: string[] = []
  for (const table of await tablesOf(sql)) tables.push(await insertsInto(sql, table))
  const sequences = await sql<{ name: string; last: number }[]>`
    select format('%I.%I', schemaname, sequencename) as name, last_value as last
    from pg_sequences
    where schemaname in ('public', 'ops', 'graphile_worker')
      and last_value is not null
    order by 1
  `
  return [
    // Rows are as they were: neither do triggers act on them, nor is the order of foreign keys followed.
    'set session_replication_role = replica;\n\n',
    ...tables,
    ...sequences.map(({ name, last }) => `select setval('${name}', ${last});\n`),
    '\nset session_replication_role = origin;\n',
  ].join('')
}
