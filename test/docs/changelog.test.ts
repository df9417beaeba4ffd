import { expect, test } from 'bun:test'
import { readChangelog } from '../../bin/freeze/changelog.ts'
import { version } from '../../package.json'

test('the newest release of the changelog has the version of package.json and a date', async () => {
  const { releases } = await readChangelog()
  expect(releases[0]?.version).toBe(version)
  for (const { date } of releases) expect(new Date(date).toISOString()).toStartWith(date)
})

test('releases are listed newest first, once each, and all sections are releases but the first', async () => {
  const { releases, hasUnreleased } = await readChangelog()
  const versions = releases.map((release) => release.version)
  expect([...new Set(versions)].toSorted(Bun.semver.order).toReversed()).toEqual(versions)
  const dates = releases.map(({ date }) => date)
  expect(dates.toSorted().toReversed()).toEqual(dates)
  const text = await Bun.file(`${import.meta.dir}/../../CHANGELOG.md`).text()
  expect([...text.matchAll(/^## /gm)]).toHaveLength(releases.length + (hasUnreleased ? 1 : 0))
})
