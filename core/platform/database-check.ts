/** Before a process uses the database: can it, and if not, what is in the way? */
import { pendingMigrations } from '../../sql/migrate.ts'
import { unfitSettings } from '../../sql/unfit-settings.ts'
import { monotonicMs } from './clock.ts'
import { explainDirect, listener, sql } from './database.ts'
import { type DatabaseFault, explainDatabaseError } from './database-errors.ts'
import { log } from './log.ts'

const RETRY_MS = 1_000
const REPEAT_MS = 30_000

const unmigrated = (count: number): DatabaseFault => ({
  code: 'not_migrated',
  message: `The database is not migrated: ${count} migrations are pending. Run the release process, bun sql/migrate.ts.`,
})

/** Ends the process: what the session has is wrong until the operator changes the role. */
function rejectSettings(sentences: string[]): never {
  log.fatal({ setting: 'DATABASE_URL', code: 'unfit_settings' }, `The role has defaults that do not work: ${sentences.join(' ')}`)
  process.exit(1)
}

/** @returns what is in the way, or null where nothing is */
async function findFault(begin: () => Promise<unknown>): Promise<DatabaseFault | null> {
  try {
    await listener`select`
  } catch (error) {
    return explainDirect(error)
  }
  try {
    const unfit = await unfitSettings(sql)
    if (unfit.length > 0) rejectSettings(unfit)
    const pending = await pendingMigrations(sql, true)
    if (pending.length > 0) return unmigrated(pending.length)
    await begin()
  } catch (error) {
    return explainDatabaseError(error, 'DATABASE_URL')
  }
  return null
}

/**
 * Waits until the database can be used. What is in the way goes to the log at once, and again every 30 seconds.
 *
 * @param begin first use of the database, tried again as well
 */
export async function waitForDatabase(begin: () => Promise<unknown> = async () => {}): Promise<void> {
  const saidAt = new Map<string, number>()
  for (let fault = await findFault(begin); fault; fault = await findFault(begin)) {
    const { message, ...rest } = fault
    const now = monotonicMs()
    if (now - (saidAt.get(fault.code) ?? Number.NEGATIVE_INFINITY) >= REPEAT_MS) {
      log.error(rest, message)
      saidAt.set(fault.code, now)
    }
    await Bun.sleep(RETRY_MS)
  }
  if (saidAt.size > 0) log.info('the database can be used')
}
