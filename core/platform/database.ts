/** The database of this process. */
import { parse } from 'node:path'
import { connect, type Fragment, type Sql, type Tx } from '../../sql/index.ts'
import { processName } from '../../sql/older-processes.ts'
import { PLANNER } from '../../sql/session.ts'
import { type DatabaseTarget, targetOf } from '../../sql/target.ts'
import { runTransaction } from '../../sql/transaction.ts'
import { dropUnresponsiveConnections, responds } from '../../sql/unresponsive.ts'
import { config } from './config.ts'
import { directTarget } from './direct-database.ts'

const tls = { mode: config.DATABASE_SSL, ca: config.DATABASE_CA }

/** For what needs a dedicated session: LISTEN, session-level advisory locks, the job queue. */
export const directDatabase = directTarget(config)

const name = processName(parse(process.argv[1] ?? 'process').name)
const pooled = config.DATABASE_DIRECT_URL !== undefined

/** For everything else, possibly through a pooler. */
export const database: DatabaseTarget = targetOf(config.DATABASE_URL, { ...tls, pooled })

/** Opens a pool that closes connections to a server that no longer responds. */
export function openPool(name: string, max: number, settings?: Record<string, string>): Sql {
  const pool = connect(database, name, max, settings)
  dropUnresponsiveConnections(pool, () => responds(() => connect(database, `${name} probing`, 1)))
  return pool
}

export const sql = openPool(name, config.DATABASE_POOL, PLANNER)

export const transaction = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => runTransaction(sql, work)

/** Runs a short transaction whose first statements change nothing: they are sent together with BEGIN. */
export const eagerTransaction = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => runTransaction(sql, work, true)

/**
 * Runs with the rights of the account that signed in. PostgreSQL shows its sessions to no other role, which may be the one that it
 * takes on by default.
 */
export const asAccount = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  transaction(async (tx) => {
    await tx`set local role none`
    return work(tx)
  })

/** The pool for LISTEN, which does not work through a pooler. */
export const listener = pooled ? connect(directDatabase, `${name} listening`, 1) : sql

/** SQL: a time inside of JSON, in the format of the API. */
export const instant = (column: Fragment) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
