/** Data folders: the one of `bun start`, which one run at a time uses and which keeps secrets, and those of commands that leave nothing behind. */
import { Database } from 'bun:sqlite'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SETTINGS } from '../../core/platform/settings.ts'
import { Failure } from './command.ts'

/**
 * Locks the data folder until it is disposed of. The lock is SQLite's lock on an empty file: the kernel releases it however the
 * process ends, which a file with a process id cannot guarantee.
 */
export function lockData(dataDir: string): Disposable {
  try {
    const lock = new Database(join(dataDir, 'lock'), { create: true })
    // Long enough for a run that is stopping.
    lock.run('pragma busy_timeout = 3000')
    lock.run('pragma journal_mode = memory')
    lock.run('begin exclusive')
    return lock
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY')
      throw new Failure(`Signalbox already runs on the data in ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
    throw new Failure(
      `${dataDir} cannot be written (${(error as Error).message}). Set DATA_DIR to a folder that this user can write.`,
    )
  }
}

/** The secrets that the environment does not set: stored ones, or new ones, which `keep()` keeps for the next start. */
export async function openSecrets(environment: Record<string, string | undefined>, dataDir: string) {
  const unset = ['JWT_SECRET', 'SECRETS_KEY'].filter((name) => !environment[name])
  const file = join(dataDir, 'secrets.json')
  const stored = unset.length === 0 ? {} : await read(file)
  const missing = unset.filter((name) => !stored[name])
  for (const name of missing) stored[name] = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
  return {
    secrets: Object.fromEntries(unset.map((name) => [name, stored[name]])),
    file,
    /** Whether the key of stored secrets was made now. */
    hasNewKey: missing.includes('SECRETS_KEY'),
    async keep() {
      if (missing.length === 0) return
      await mkdir(dataDir, { recursive: true })
      await writeFile(`${file}.new`, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
      // Renamed into place, so that a crash leaves no partial file.
      await rename(`${file}.new`, file)
    },
  }
}

async function read(file: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    throw new Failure(`${file} cannot be read (${message}): correct it, or set DATA_DIR to another folder.`)
  }
}

/** Creates a folder. Disposing of it removes it with its contents. */
export async function throwawayFolder(prefix: string, parent = tmpdir()): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(parent, prefix))
  // If this runs as root, PostgreSQL runs as another user, which must be able to enter.
  await chmod(path, 0o711)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The environment without the settings of Signalbox, so that a trial run does not reach a real database. */
export const withoutSettings = (environment: Record<string, string | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in SETTINGS)))
