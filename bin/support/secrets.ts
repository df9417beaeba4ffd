/** The secrets that `bun start` makes where none are set, kept so that the next start reads what this one wrote. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from './failure.ts'

const NAMES = ['JWT_SECRET', 'SECRETS_KEY'] as const

type Secrets = Partial<Record<(typeof NAMES)[number], string>>

/** The secrets that the environment leaves open: those of the last run, or new ones, which are kept at once. */
export async function openSecrets(environment: Record<string, string | undefined>, dataDir: string): Promise<Secrets> {
  const open = NAMES.filter((name) => !environment[name])
  if (open.length === 0) return {}
  const file = join(dataDir, 'secrets.json')
  const kept = await read(file)
  const missing = open.filter((name) => !kept[name])
  if (missing.length > 0) {
    for (const name of missing) kept[name] = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
    await mkdir(dataDir, { recursive: true })
    // Renamed into place: half a file of keys would be worse than none.
    await writeFile(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  return Object.fromEntries(open.map((name) => [name, kept[name]]))
}

async function read(file: string): Promise<Secrets> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    const remedy =
      code === 'EACCES' ? 'start Signalbox as the user that it belongs to, or set DATA_DIR to another folder' : 'mend it'
    throw new Failure(`${file} cannot be read (${message}): ${remedy}, or set ${NAMES.join(' and ')}.`)
  }
}
