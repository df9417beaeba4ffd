/** The pool of this process. */
import { basename } from 'node:path'
import { connect } from '../sql/index.ts'
import { config } from './config.ts'

export const sql = connect(
  config.DATABASE_URL,
  `signalbox ${basename(process.argv[1] ?? 'process', '.ts')}`,
  config.DATABASE_POOL,
)
