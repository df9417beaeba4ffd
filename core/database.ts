/** The database of this process. */
import { basename } from 'node:path'
import { connect } from '../sql/index.ts'
import { type Target, targetOf } from '../sql/target.ts'
import { config } from './config.ts'

const tls = { mode: config.DATABASE_SSL, ca: config.DATABASE_CA }

/** For what needs a session of its own: LISTEN, advisory locks of a session, the job queue. */
export const directDatabase: Target = targetOf(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, tls)

const name = `signalbox ${basename(process.argv[1] ?? 'process', '.ts')}`
const pooled = config.DATABASE_DIRECT_URL !== undefined

/** For everything else: there may be a pooler in between. */
export const database: Target = targetOf(config.DATABASE_URL, { ...tls, pooled })

export const sql = connect(database, name, config.DATABASE_POOL)

/** The pool to LISTEN with: no pooler keeps a session for that. */
export const listener = pooled ? connect(directDatabase, `${name} listening`, 1) : sql
