/** Where the database itself is, past any pooler. */
import { type Target, targetOf } from '../../sql/target.ts'
import { type DatabaseFault, explainDatabaseError } from './database-errors.ts'
import type { DatabaseSettings } from './settings.ts'

/** For what needs a session of its own: LISTEN, advisory locks of a session, migrations, the job queue. */
export const directTarget = (settings: DatabaseSettings): Target =>
  targetOf(settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL, { mode: settings.DATABASE_SSL, ca: settings.DATABASE_CA })

/** Explains an error of a connection to it. */
export const explainDirectError = (settings: DatabaseSettings, error: unknown): DatabaseFault =>
  explainDatabaseError(error, settings.DATABASE_DIRECT_URL === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL')
