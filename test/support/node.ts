/** Documents call Node, as everybody has it who has `npx`. Where it is not, Bun is Node enough. */
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

/** A folder for the PATH in which `node` is. */
export function nodeHere(): Promise<string> {
  const found = Bun.which('node')
  folder ??= found ? Promise.resolve(dirname(found)) : stand()
  return folder
}
