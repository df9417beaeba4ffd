/** The data folder of `bun start`: one run at a time uses it, and it keeps the secrets that the environment does not set. */
import { Database } from 'bun:sqlite'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from './command.ts'

/**
 * Locks the data folder until it is disposed of. The lock is that of SQLite on an empty file: the kernel releases it however the
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

const NAMES = ['JWT_SECRET', 'SECRETS_KEY'] as const

type Secrets = Partial<Record<(typeof NAMES)[number], string>>

/** The secrets that the environment does not set: stored ones, or new ones, which `keep()` keeps for the next start. */
export async function openSecrets(environment: Record<string, string | undefined>, dataDir: string) {
  const unset = NAMES.filter((name) => !environment[name])
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

async function read(file: string): Promise<Secrets> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    throw new Failure(`${file} cannot be read (${message}): correct it, or set DATA_DIR to another folder.`)
  }
}
