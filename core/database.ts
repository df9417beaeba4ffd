/** The database of this process. */
import { basename } from 'node:path'
import { connect } from '../sql/index.ts'
import { type Target, targetOf } from '../sql/target.ts'
import { config } from './config.ts'

const tls = { mode: config.DATABASE_SSL, ca: config.DATABASE_CA }

/** For what needs a session of its own: LISTEN, advisory locks of a session, the job queue. */
export const directDatabase: Target = targetOf(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, tls)

export const sql = connect(
  targetOf(config.DATABASE_URL, { ...tls, pooled: config.DATABASE_DIRECT_URL !== undefined }),
  `signalbox ${basename(process.argv[1] ?? 'process', '.ts')}`,
  config.DATABASE_POOL,
)
