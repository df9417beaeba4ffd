/** Migrates the schema of graphile-worker to the version in this code. */
import type { Sql } from './index.ts'
import { LONG_TIMEOUT, retryLocked, retryLockedTransaction } from './locks.ts'
import type { DatabaseTarget } from './target.ts'
import { createViews, dropJobAdditions, dropViews } from './views.ts'

/**
 * Applies pending migrations. What we added to its tables is dropped first, with our views; statements of the previous version that
 * read these views fail meanwhile, and are retried.
 */
export async function migrateJobs(sql: Sql, target: DatabaseTarget): Promise<void> {
  const { applied, newest } = await versions(sql)
  if (applied === newest) return
  // Imported here because the API imports `migrate.ts` only to check for pending migrations.
  const [{ runMigrations }, { openJobPool }] = await Promise.all([import('graphile-worker'), import('./job-pool.ts')])
  const isBehind = applied < newest
  if (isBehind) {
    await retryLockedTransaction(sql, async (tx) => {
      await dropViews(tx)
      await dropJobAdditions(tx)
    })
  }
  // The migration itself reports broken connections.
  const pgPool = openJobPool(target, 'signalbox release', 1, () => {}, { lock_timeout: LONG_TIMEOUT })
  try {
    // It also refuses a schema that is newer than this code.
    await retryLocked(() => runMigrations({ pgPool }))
  } catch (error) {
    // The previous version continues with the queue as it was.
    if (isBehind) await createViews(sql).catch(() => {})
    throw error
  } finally {
    await pgPool.end()
  }
}

/** The last migration of graphile-worker that is applied, and the newest in the package. */
async function versions(sql: Sql): Promise<{ applied: number; newest: number }> {
  // The package does not export its list.
  const list = new URL('generated/sql.js', import.meta.resolve('graphile-worker'))
  const { migrations }: { migrations: Record<string, string> } = await import(list.href)
  const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))
  const [{ exists }] = await sql<[{ exists: boolean }]>`select to_regclass('graphile_worker.migrations') is not null as exists`
  if (!exists) return { applied: 0, newest }
  const [{ applied }] = await sql<[{ applied: number }]>`
    select coalesce(max(id), 0) as applied from graphile_worker.migrations
  `
  return { applied, newest }
}
