/** Snippets in documents run `node`. Without Node on this machine, Bun runs them. */
import { rmSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

let folder: Promise<string> | undefined

async function stand(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'signalbox-node-'))
  process.once('exit', () => rmSync(made, { recursive: true }))
  await symlink(process.execPath, join(made, 'node'))
  return made
}

/** A folder for the PATH that contains `node`. */
export function nodeHere(): Promise<string> {
  const found = Bun.which('node')
  folder ??= found ? Promise.resolve(dirname(found)) : stand()
  return folder
}
