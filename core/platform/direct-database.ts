/** Connections to the database server itself, not through a pooler. */
import { connect } from '../../sql/index.ts'
import { type DatabaseTarget, targetOf } from '../../sql/target.ts'
import { type DatabaseErrorInfo, explainDatabaseError } from './database-errors.ts'
import { isForeign } from './encryption.ts'
import type { DatabaseSettings } from './settings.ts'

/** For what needs a dedicated session: LISTEN, session-level advisory locks, migrations, the job queue. */
export const directTarget = (settings: DatabaseSettings): DatabaseTarget =>
  targetOf(settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL, { mode: settings.DATABASE_SSL, ca: settings.DATABASE_CA })

/** Explains an error of such a connection. */
export const explainDirectError = (settings: DatabaseSettings, error: unknown): DatabaseErrorInfo =>
  explainDatabaseError(error, settings.DATABASE_DIRECT_URL === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL')

/** Tells the operator that none of the keys fits the database. */
export const FOREIGN_KEY =
  'SECRETS_KEY decrypts none of the stored secrets, so hooks, channels and second factors that have one do not work. ' +
  'Add the key that encrypted them to the list. If it is lost, their owners have to set them again.'

/** Whether the key is set and decrypts nothing of what is stored, for commands that run before the processes. */
export async function hasForeignKey(settings: DatabaseSettings): Promise<boolean> {
  if (!settings.SECRETS_KEY) return false
  const sql = connect(directTarget(settings), 'signalbox release', 1)
  return isForeign(sql, settings.SECRETS_KEY).finally(() => sql.end({ timeout: 1 }))
}
