/** Prevents two runs on the same data folder. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Failure } from './failure.ts'

/**
 * Locks the data folder for this process. The lock is that of SQLite on an empty file: the kernel releases it however the
 * process ends, which a file with a process id cannot guarantee.
 */
export function lockData(dataDir: string): { release(): void } {
  const lock = new Database(join(dataDir, 'lock'), { create: true })
  try {
    // Long enough for a run that is stopping.
    lock.run('pragma busy_timeout = 3000')
    lock.run('pragma journal_mode = memory')
    lock.run('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Failure(`Signalbox already runs on the data in ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
  }
  return { release: () => lock.close() }
}
