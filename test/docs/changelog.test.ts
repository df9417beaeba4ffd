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

/** Of a list of API changes: new events, and new fields and values of hooks and notification channels. */
function newNames(changes: string): string[] {
  const events = [...changes.matchAll(/^- webhook `([^`]+)` was added$/gm)]
  const ofDestinations = changes.match(/^- .*`(?:Hook|NotificationChannel)` in .*$/gm) ?? []
  const others = ofDestinations.flatMap((line) => [...line.matchAll(/`([\w.]+)` was added|`"([^"`]+)"`/g)])
  return [...events, ...others].map(([, name, value]) => name ?? value ?? '')
}

test('new events, and what is new in hooks and notification channels, are in the changelog', async () => {
  const changes = await Bun.file(`${import.meta.dir}/../../docs/api-changes.md`).text()
  const [, newest = ''] = (await Bun.file(`${import.meta.dir}/../../CHANGELOG.md`).text()).split(/^## /m)
  expect(newNames(changes).filter((name) => !newest.includes(`\`${name}\``))).toEqual([])
})

test('what is new in a list of API changes is found', () => {
  const lines = [
    'webhook `hook.enabled` was added',
    '`notes` was added and is required: `Hook` in responses, `CreatedHook` in responses',
    '`Hook` in responses: `owner` was added',
    '`channel_type` also allows `"discord"`: `NotificationChannel` in responses',
    'webhook `gate.approved`: `data.gate.rules` was added',
  ]
  expect(newNames(lines.map((each) => `- ${each}\n`).join(''))).toEqual(['hook.enabled', 'notes', 'owner', 'discord'])
})
