/** Keeps two runs from working on the same data. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Failure } from './failure.ts'

/**
 * Takes the data folder for this process. The lock is SQLite's, on a file without content: the
 * kernel gives it back however the process ends, which a file with a process number cannot promise.
 */
export function lockData(dataDir: string): { release(): void } {
  const lock = new Database(join(dataDir, 'lock'), { create: true })
  try {
    // Long enough for a run that was just told to stop.
    lock.run('pragma busy_timeout = 3000')
    lock.run('pragma journal_mode = memory')
    lock.run('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Failure(`Signalbox runs already on the data in ${dataDir}: stop it first, or set DATA_DIR to another folder.`)
  }
  return { release: () => lock.close() }
}
