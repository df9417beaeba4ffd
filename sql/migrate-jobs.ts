/** The schema of graphile-worker, brought to the version that this code runs. */
import type { Sql } from './index.ts'
import { givingWay, PATIENTLY, retryLocked } from './locks.ts'
import type { Target } from './target.ts'
import { createViews, dropJobIndexes, dropViews } from './views.ts'

/**
 * Applies what is pending, while nothing of ours hangs on its tables. What the version before reads of our views fails for
 * this moment, and is tried again by it.
 */
export async function migrateJobs(sql: Sql, target: Target): Promise<void> {
  const { applied, newest } = await versions(sql)
  if (applied === newest) return
  // Not with the file: the API reads in `migrate.ts` what is pending, and has no other use for them.
  const [{ runMigrations }, { openJobPool }] = await Promise.all([import('graphile-worker'), import('./job-pool.ts')])
  const isBehind = applied < newest
  if (isBehind) {
    await givingWay(sql, async (tx) => {
      await dropViews(tx)
      await dropJobIndexes(tx)
    })
  }
  // What breaks here, the migration itself reports.
  const pgPool = openJobPool(target, 'signalbox release', 1, () => {}, { lock_timeout: PATIENTLY })
  try {
    // It judges a schema that is newer than this code.
    await retryLocked(() => runMigrations({ pgPool }))
  } catch (error) {
    // The version before goes on with the queue as it was.
    if (isBehind) await createViews(sql).catch(() => {})
    throw error
  } finally {
    await pgPool.end()
  }
}

/** The last migration of graphile-worker that the database has, and the last that there is. */
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
