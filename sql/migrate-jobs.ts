/** Migrates the schema of graphile-worker to the version in this code. */
import type { Pool } from 'pg'
import type { Tx } from './index.ts'
import { dropJobAdditions } from './views.ts'

/** Applies pending migrations in the open transaction. The caller has dropped our views; what we added to its tables is dropped first. */
export async function migrateJobs(tx: Tx): Promise<void> {
  const { applied, newest } = await versions(tx)
  if (applied === newest) return
  // Imported here because the API imports `migrate.ts` only to check for pending migrations.
  const { runMigrations } = await import('graphile-worker')
  if (applied < newest) await dropJobAdditions(tx)
  // It also refuses a schema that is newer than this code.
  await runMigrations({ pgPool: poolWithin(tx) })
}

/** Whether `migrateJobs` will change the tables. */
export async function isJobsMigrationPending(tx: Tx): Promise<boolean> {
  const { applied, newest } = await versions(tx)
  return applied < newest
}

const OF_TRANSACTION = new Set(['begin', 'commit', 'rollback'])

/** The open transaction as a pool of the other driver. A statement that fails is rolled back alone, as it is outside of one. */
function poolWithin(tx: Tx): Pool {
  const run = async (text: string, values: unknown[]) => {
    if (OF_TRANSACTION.has(text)) return { rows: [] }
    return { rows: await tx.savepoint((inner) => inner.unsafe(text, values as never[])) }
  }
  const client = {
    query: (query: string | { text: string; values?: unknown[] }, values: unknown[] = []) =>
      typeof query === 'string' ? run(query, values) : run(query.text, query.values ?? []),
    release() {},
  }
  // It warns of a pool without listeners.
  return { connect: async () => client, listeners: () => [() => {}], options: { max: 1 } } as unknown as Pool
}

/** The last migration of graphile-worker that is applied, and the newest in the package. */
async function versions(tx: Tx): Promise<{ applied: number; newest: number }> {
  // The package does not export its list.
  const list = new URL('generated/sql.js', import.meta.resolve('graphile-worker'))
  const { migrations }: { migrations: Record<string, string> } = await import(list.href)
  const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))
  const [{ exists }] = await tx<[{ exists: boolean }]>`select to_regclass('graphile_worker.migrations') is not null as exists`
  if (!exists) return { applied: 0, newest }
  const [{ applied }] = await tx<[{ applied: number }]>`
    select coalesce(max(id), 0) as applied from graphile_worker.migrations
  `
  return { applied, newest }
}
