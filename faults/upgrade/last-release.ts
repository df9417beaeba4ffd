import { readChangelog } from '../../bin/freeze/changelog.ts'

/** The release before the one that this code is, or is becoming; the first release if there is none before it. */
export async function lastRelease(): Promise<string> {
  const { releases, hasUnreleased } = await readChangelog()
  const [newest, former] = releases
  const last = (hasUnreleased ? newest : former) ?? newest
  if (!last) throw new Error('CHANGELOG.md lists no release.')
  return last.version
}
