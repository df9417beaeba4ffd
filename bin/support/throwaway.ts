/** What a program of this folder needs that leaves nothing behind: a folder, and an environment of its own. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SETTINGS } from '../../core/platform/settings.ts'

/** A new folder, removed with all that is in it when it is disposed of. */
export async function throwawayFolder(prefix: string): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  // Started by root, PostgreSQL runs as another user, who has to pass here.
  await chmod(path, 0o711)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The caller's environment without any setting of Signalbox: a real database must not get what is only tried. */
export function withoutSettings(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in SETTINGS)))
}
