/** Checks at the start of a process whether the database can be used, and reports why not. */
import { prepareProcess } from '../../sql/process.ts'
import { unsuitableSettings } from '../../sql/unsuitable-settings.ts'
import { monotonicMs } from './clock.ts'
import { config } from './config.ts'
import { listener, sql } from './database.ts'
import { type DatabaseErrorInfo, explainDatabaseError } from './database-errors.ts'
import { explainDirectError, FOREIGN_KEY } from './direct-database.ts'
import { isForeign } from './encryption.ts'
import { log } from './log.ts'

const RETRY_MS = 1_000
const REPEAT_MS = 30_000

/** Exits: retrying does not help until the operator changes the role. */
function rejectSettings(sentences: string[]): never {
  log.fatal(
    { setting: 'DATABASE_URL', code: 'unfit_settings' },
    `The database role has unsuitable defaults: ${sentences.join(' ')}`,
  )
  process.exit(1)
}

/** @returns why the database cannot be used; null if it can */
async function findProblem(begin: () => Promise<unknown>): Promise<DatabaseErrorInfo | null> {
  try {
    await listener`select`
  } catch (error) {
    return explainDirectError(config, error)
  }
  try {
    const unfit = await unsuitableSettings(sql)
    if (unfit.length > 0) rejectSettings(unfit)
    const pending = await prepareProcess(sql)
    if (pending > 0) {
      const message = `The database is not migrated: ${pending} migrations are pending. Run the release process, bun sql/migrate.ts.`
      return { code: 'not_migrated', message }
    }
    await begin()
  } catch (error) {
    return explainDatabaseError(error, 'DATABASE_URL')
  }
  return null
}

/** Not fatal: the key may be lost, and what needs no stored secret works. */
async function reportForeignKey(): Promise<void> {
  if (!(await isForeign(sql, config.SECRETS_KEY))) return
  log.error({ setting: 'SECRETS_KEY', code: 'secrets_unreadable' }, FOREIGN_KEY)
}

/**
 * Waits until the database can be used. Logs each reason why it cannot at once, and again every 30 seconds.
 *
 * @param begin the first use of the database, which is retried as well
 */
export async function waitForDatabase(begin: () => Promise<unknown> = async () => {}): Promise<void> {
  const loggedAt = new Map<string, number>()
  for (let problem = await findProblem(begin); problem; problem = await findProblem(begin)) {
    const { message, ...rest } = problem
    const now = monotonicMs()
    if (now - (loggedAt.get(problem.code) ?? Number.NEGATIVE_INFINITY) >= REPEAT_MS) {
      log.error(rest, message)
      loggedAt.set(problem.code, now)
    }
    await Bun.sleep(RETRY_MS)
  }
  if (loggedAt.size > 0) log.info('database available')
  await reportForeignKey().catch((error) => {
    // A process that stops ends its connections.
    if (error.code !== 'CONNECTION_ENDED') log.warn({ error }, 'could not check SECRETS_KEY')
  })
}
