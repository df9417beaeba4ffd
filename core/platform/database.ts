/** The database of this process. */
import { basename } from 'node:path'
import { connect, type Sql, type Tx } from '../../sql/index.ts'
import { PLANNER } from '../../sql/session.ts'
import { answers, dropSilentConnections } from '../../sql/silence.ts'
import { type Target, targetOf } from '../../sql/target.ts'
import { runTransaction } from '../../sql/transaction.ts'
import { config } from './config.ts'
import type { DatabaseFault } from './database-errors.ts'
import { directTarget, explainDirectError } from './direct-database.ts'

const tls = { mode: config.DATABASE_SSL, ca: config.DATABASE_CA }

/** For what needs a session of its own: LISTEN, advisory locks of a session, the job queue. */
export const directDatabase = directTarget(config)

/** Explains an error of a connection to it. */
export const explainDirect = (error: unknown): DatabaseFault => explainDirectError(config, error)

const name = `signalbox ${basename(process.argv[1] ?? 'process', '.ts')}`
const pooled = config.DATABASE_DIRECT_URL !== undefined

/** For everything else: there may be a pooler in between. */
export const database: Target = targetOf(config.DATABASE_URL, { ...tls, pooled })

/** Opens a pool that does not wait for a server that has fallen silent. */
export function openPool(name: string, max: number, settings?: Record<string, string>): Sql {
  const pool = connect(database, name, max, settings)
  dropSilentConnections(pool, () => answers(() => connect(database, `${name} probing`, 1)))
  return pool
}

export const sql = openPool(name, config.DATABASE_POOL, PLANNER)

/** Runs one short transaction, on the pool of this process unless another is given. See `runTransaction`. */
export const transaction = <Result>(work: (tx: Tx) => Promise<Result>, db: Sql = sql): Promise<Result> => runTransaction(db, work)

/** The pool to LISTEN with: no pooler keeps a session for that. */
export const listener = pooled ? connect(directDatabase, `${name} listening`, 1) : sql
