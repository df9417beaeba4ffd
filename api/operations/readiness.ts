/** Whether this process should get requests. */
import { sql } from '../../core/database.ts'
import { Problem } from '../../core/problems.ts'
import { pendingMigrations } from '../../sql/migrate.ts'

let migrated = false

/**
 * Asks the database, and, until it once was, whether it is migrated.
 *
 * @throws Problem 503 that says what is missing
 */
export async function readiness(): Promise<{ status: 'ready' }> {
  if (migrated) {
    await sql`select`
    return { status: 'ready' }
  }
  const pending = await pendingMigrations(sql, true)
  if (pending.length > 0) {
    throw new Problem(
      'database_unavailable',
      `The database is not migrated: ${pending.length} migrations are pending. Run the release process.`,
      undefined,
      { 'Retry-After': '5' },
    )
  }
  migrated = true
  return { status: 'ready' }
}
