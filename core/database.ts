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

export const sql = connect(database, name, config.DATABASE_POOL, {
  // A plan is kept with its statement: one that was made while a table was small would read all of it long after it has
  // grown. All that processes ask has an index.
  enable_seqscan: 'off',
  // Where there is none, PostgreSQL before 18 takes reading it all for so dear that it would compile the plan.
  jit: 'off',
})

/** The pool to LISTEN with: no pooler keeps a session for that. */
export const listener = pooled ? connect(directDatabase, `${name} listening`, 1) : sql
