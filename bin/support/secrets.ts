/** The secrets of `bun start`: generated if they are not set, and stored for the next start. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from './failure.ts'

const NAMES = ['JWT_SECRET', 'SECRETS_KEY'] as const

type Secrets = Partial<Record<(typeof NAMES)[number], string>>

/** The secrets that the environment does not set: stored ones, or new ones, which are stored before this resolves. */
export async function openSecrets(environment: Record<string, string | undefined>, dataDir: string): Promise<Secrets> {
  const unset = NAMES.filter((name) => !environment[name])
  if (unset.length === 0) return {}
  const file = join(dataDir, 'secrets.json')
  const stored = await read(file)
  const missing = unset.filter((name) => !stored[name])
  if (missing.length > 0) {
    for (const name of missing) stored[name] = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
    await mkdir(dataDir, { recursive: true })
    // Renamed into place, so that a crash leaves no partial file.
    await writeFile(`${file}.new`, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  return Object.fromEntries(unset.map((name) => [name, stored[name]]))
}

async function read(file: string): Promise<Secrets> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    const remedy = code === 'EACCES' ? 'start Signalbox as its owner, set DATA_DIR to another folder' : 'correct it'
    throw new Failure(`${file} cannot be read (${message}): ${remedy}, or set ${NAMES.join(' and ')}.`)
  }
}
