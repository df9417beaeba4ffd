/** A temporary folder and a clean environment, for commands that leave nothing behind. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SETTINGS } from '../../core/platform/settings.ts'

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
