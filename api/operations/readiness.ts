/** Whether this process is ready for requests. */
import { sql } from '../../core/platform/database.ts'
import { MigrationError } from '../../sql/migrate.ts'
import { prepareProcess } from '../../sql/process.ts'
import { Problem } from '../problems.ts'

let usable = false

/**
 * Checks the database connection and, until it succeeded once, the migrations.
 *
 * @throws Problem 503 with what is missing
 */
export async function readiness(): Promise<{ status: 'ready' }> {
  if (usable) {
    await sql`select`
    return { status: 'ready' }
  }
  const pending = await prepareProcess(sql).catch((error: unknown) => {
    throw error instanceof MigrationError ? notReady(error.message) : error
  })
  if (pending > 0) throw notReady(`The database is not migrated: ${pending} migrations are pending. Run the release process.`)
  usable = true
  return { status: 'ready' }
}

const notReady = (detail: string) => new Problem('database_unavailable', detail, undefined, { 'Retry-After': '5' })
