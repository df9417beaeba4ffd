/** The code of a release, from its tag. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'bun'

const root = join(import.meta.dir, '../..')

export interface Code extends AsyncDisposable {
  /** Undefined: this checkout. */
  folder?: string
}

/**
 * The code of a release in a folder of its own, with its packages.
 *
 * Without the tag, such as before the first release, it is this checkout: then two processes of the same version run side by side, on
 * the data of the release, which shows that they share their work, but not that the versions fit together.
 */
export async function codeOf(version: string): Promise<Code> {
  const tag = `v${version}`
  const { stdout } = await $`git tag --list ${tag}`.cwd(root).nothrow().quiet()
  if (stdout.toString().trim() !== tag) {
    console.log(
      `There is no tag ${tag}: this checkout takes the part of the last release. If it is tagged, run git fetch --tags.`,
    )
    return { [Symbol.asyncDispose]: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), `signalbox-${version}-`))
  await $`git archive ${tag} | tar --extract --directory ${folder}`.cwd(root)
  await $`${process.execPath} install --frozen-lockfile --silent`.cwd(folder)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
