/** Empties a database while processes use it. */
import { PostgresError, type Sql } from '../../sql/index.ts'

const JOBS = 'graphile_worker._private_jobs'

/** Tables whose rows the running processes need. */
const KEPT = [
  'public.schema_migrations',
  'public.distribution_steps',
  'public.distribution_parts',
  'public.workers',
  'public.process_gauges',
  'public.metric_totals',
  'graphile_worker.migrations',
  // Handled separately.
  JOBS,
  'graphile_worker._private_tasks',
  'graphile_worker._private_known_crontabs',
]

const MAX_PASSES = 250
const PASS_MS = 20
const DEADLOCK = '40P01'

const tables = new WeakMap<Sql, Promise<string[]>>()

/** The tables that tests may write to. */
async function tablesIn(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select schema.nspname || '.' || relation.relname as name
    from pg_class relation
    join pg_namespace schema on schema.oid = relation.relnamespace
    where relation.relkind in ('r', 'p')
      and not relation.relispartition
      and schema.nspname in ('public', 'ops', 'graphile_worker')
    order by schema.nspname, relation.relname
  `
  return rows.map(({ name }) => name).filter((name) => !KEPT.includes(name))
}

/** Deletes all rows, bypassing triggers and foreign keys. @returns the number of rows found, including running jobs */
async function deleteAll(sql: Sql): Promise<number> {
  if (!tables.has(sql)) tables.set(sql, tablesIn(sql))
  const names = (await tables.get(sql)) ?? []
  const counts = await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    const [{ running }] = await tx<[{ running: number }]>`
      select count(*) as running from ${tx(JOBS)} where locked_at is not null
    `
    const waiting = await tx`delete from ${tx(JOBS)} where locked_at is null`
    const others = await Promise.all(names.map(async (name) => (await tx`delete from ${tx(name)}`).count))
    return [running, waiting.count, ...others]
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Deletes all rows until none is left and no job runs. It repeats because a process may still add rows.
 *
 * @throws Error if a job does not end, or rows keep appearing
 */
export async function clear(sql: Sql): Promise<void> {
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const deleted = await deleteAll(sql).catch((error: unknown) => {
      if (error instanceof PostgresError && error.code === DEADLOCK) return 1
      throw error
    })
    if (deleted === 0) return
    await Bun.sleep(PASS_MS)
  }
  throw new Error('The database of a shared box does not become empty')
}
