/** The code of a release, from the repository. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'bun'

const root = join(import.meta.dir, '../..')

export interface Code extends AsyncDisposable {
  /** Undefined: this checkout. */
  folder?: string
}

/** The commit of a release: the one of its tag, or else the last one that froze its data. Empty if the history has neither. */
async function commitOf(version: string): Promise<string> {
  const tagged = await $`git rev-parse --quiet --verify ${`v${version}^{commit}`}`.cwd(root).nothrow().quiet()
  if (tagged.exitCode === 0) return tagged.stdout.toString().trim()
  const frozen = await $`git log -1 --format=%H -- ${`faults/upgrade/${version}.sql`}`.cwd(root).nothrow().quiet()
  return frozen.stdout.toString().trim()
}

/**
 * The code of a release in a folder of its own, with its packages.
 *
 * Without history it is this checkout: then two processes of the same version run side by side, on the data of the release, which shows
 * that they share their work, but not that the versions fit together.
 */
export async function codeOf(version: string): Promise<Code> {
  const commit = await commitOf(version)
  if (commit === '') {
    console.log(`The commit of ${version} is not in the history: this checkout takes the part of the last release.`)
    return { [Symbol.asyncDispose]: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), `signalbox-${version}-`))
  await $`git archive ${commit} | tar --extract --directory ${folder}`.cwd(root)
  await $`${process.execPath} install --frozen-lockfile --silent`.cwd(folder)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
