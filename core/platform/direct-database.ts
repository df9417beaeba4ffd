/** Connections to the database server itself, not through a pooler. */
import { type DatabaseTarget, targetOf } from '../../sql/target.ts'
import { type DatabaseErrorInfo, explainDatabaseError } from './database-errors.ts'
import type { DatabaseSettings } from './settings.ts'

/** For what needs a dedicated session: LISTEN, session-level advisory locks, migrations, the job queue. */
export const directTarget = (settings: DatabaseSettings): DatabaseTarget =>
  targetOf(settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL, { mode: settings.DATABASE_SSL, ca: settings.DATABASE_CA })

/** Explains an error of such a connection. */
export const explainDirectError = (settings: DatabaseSettings, error: unknown): DatabaseErrorInfo =>
  explainDatabaseError(error, settings.DATABASE_DIRECT_URL === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL')
