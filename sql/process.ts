/** What a process does before it uses the tables. */
import { joinCluster } from './citus/index.ts'
import type { Sql } from './index.ts'
import { pendingMigrations } from './migrate.ts'

/**
 * Checks whether the tables are those of this code, and finds out whether they are on a cluster.
 *
 * @returns how many migrations are pending: until there are none, the tables cannot be used
 * @throws {MigrationError} as `pendingMigrations`
 */
export async function prepareProcess(sql: Sql): Promise<number> {
  const pending = await pendingMigrations(sql, true)
  if (pending.length === 0) await joinCluster(sql)
  return pending.length
}
