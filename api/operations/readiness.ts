/** Whether this process is ready for requests. */
import { sql } from '../../core/platform/database.ts'
import { joinCluster } from '../../sql/citus/index.ts'
import { MigrationError, pendingMigrations } from '../../sql/migrate.ts'
import { Problem } from '../problems.ts'

let usable = false

/**
 * Checks the database connection and, until it succeeded once, the migrations. Then the process knows whether its statements go to a
 * cluster.
 *
 * @throws Problem 503 with what is missing
 */
export async function readiness(): Promise<{ status: 'ready' }> {
  if (usable) {
    await sql`select`
    return { status: 'ready' }
  }
  const pending = await pendingMigrations(sql, true).catch((error: unknown) => {
    throw error instanceof MigrationError ? notReady(error.message) : error
  })
  if (pending.length > 0)
    throw notReady(`The database is not migrated: ${pending.length} migrations are pending. Run the release process.`)
  await joinCluster(sql)
  usable = true
  return { status: 'ready' }
}

const notReady = (detail: string) => new Problem('database_unavailable', detail, undefined, { 'Retry-After': '5' })
